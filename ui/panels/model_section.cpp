#include "ui/format.h"
#include "ui/panels/setup_sections.h"

namespace attnscope {

ModelSection::ModelSection(RunDraft& draft) : FormSection(tr("Model")), m_draft(draft) {
  m_family = roleLabel({}, "value", "family");
  addRow(tr("Family"), m_family, tr("Decided by the data: sequences to sequences, or decisions about one sequence."));
  addSequenceRows();
  addRecurrentRows();
  connect(&draft, &RunDraft::changed, this, &ModelSection::refresh);
}

void ModelSection::addSequenceRows() {
  m_context =
      new ChoiceField("context", {{"attention", tr("attention")}, {"fixed", tr("fixed vector")}, {"none", tr("none")}});
  addRow(tr("Context"), m_context,
         tr("What the decoder sees of the source: a weighted mean that moves (attention), the encoder's last state at "
            "every step (fixed vector), or only as its first state (none)."));
  m_attends = new ChoiceField("attends", {{"yes", tr("yes")}, {"no", tr("no, plain network")}});
  addRow(tr("Attention"), m_attends, tr("Whether the network looks back at its own past."));
  m_cell = new ChoiceField("cell", {{"rnn", tr("plain RNN")}, {"gru", tr("GRU")}, {"lstm", tr("LSTM")}});
  addRow(tr("Cell"), m_cell, tr("The recurrent cell; in an encoder–decoder, that of both."));
  m_reset = new ChoiceField("reset", {{"after", tr("after W h")}, {"before", tr("before W h")}});
  addRow(tr("Reset"), m_reset,
         tr("Where the GRU's reset gate acts: after the product with W, or on the state itself."));
  m_directions = new ChoiceField("directions", {{"false", tr("one direction")}, {"true", tr("both directions")}});
  addRow(tr("Encoder"), m_directions, tr("Reading in both directions doubles the size of a memory vector."));
  m_encoderHidden = new WholeField("encoderHidden", 1, 4096);
  m_encoderLayers = new WholeField("encoderLayers", 1, 8);
  m_encoderSize = pairOf(m_encoderHidden, QStringLiteral("×"), m_encoderLayers);
  addRow(tr("– size"), m_encoderSize, tr("Hidden units of the encoder (in each direction) × layers."));
  m_decoderHidden = new WholeField("decoderHidden", 1, 4096);
  m_decoderLayers = new WholeField("decoderLayers", 1, 8);
  m_decoderSize = pairOf(m_decoderHidden, QStringLiteral("×"), m_decoderLayers);
  addRow(tr("Decoder"), m_decoderSize, tr("Hidden units of the decoder × layers."));
  m_embedding = new WholeField("embedding", 1, 4096);
  addRow(tr("Embedding"), m_embedding, tr("Size of a token's vector."));
  m_bridge = new ChoiceField("bridge", {{"tanh", tr("tanh layer")}, {"copy", tr("copy")}});
  addRow(tr("Bridge"), m_bridge, tr("How the encoder's last state becomes the decoder's first."));

  bind(m_context, {"context"});
  bind(m_cell, {"encoder.cell", "decoder.cell"}, "cell");
  bind(m_reset, {"encoder.reset", "decoder.reset"}, "reset");
  bind(m_directions, {"encoder.bidirectional"});
  bind(m_bridge, {"bridge"});
  bind(m_encoderHidden, "encoder.hidden");
  bind(m_encoderLayers, "encoder.layers");
  bind(m_decoderHidden, "decoder.hidden");
  bind(m_decoderLayers, "decoder.layers");
  bind(m_embedding, "embedding");
  connect(m_attends, &ChoiceField::chosen, this, [this](const QString& value) { m_draft.setAttends(value == "yes"); });
}

void ModelSection::addRecurrentRows() {
  m_hidden = new WholeField("hidden", 1, 4096);
  m_layers = new WholeField("layers", 1, 8);
  m_size = pairOf(m_hidden, QStringLiteral("×"), m_layers);
  addRow(tr("Hidden"), m_size, tr("Hidden units × layers."));
  m_inputEmbedding = new WholeField("inputEmbedding", 1, 4096);
  addRow(tr("Embedding"), m_inputEmbedding, tr("Size of a token's vector."));
  m_memory = new ChoiceField(
      "memory", {{"states", tr("earlier states")}, {"inputs", tr("inputs so far")}, {"lower", tr("layer below")}});
  addRow(tr("Memory"), m_memory, tr("What is looked back at."));
  m_joins =
      new ChoiceField("joins", {{"state", tr("the state")}, {"input", tr("the input")}, {"output", tr("the output")}});
  addRow(tr("Joins"), m_joins,
         tr("Where the context enters: the state update (plain RNN only), the top layer's input, "
            "or the output layer."));
  bind(m_hidden, "hidden");
  bind(m_layers, "layers");
  bind(m_inputEmbedding, "input.embedding");
  bind(m_memory, {}, "attention.memory");
  bind(m_joins, {}, "attention.joins");
}

void ModelSection::bind(ChoiceField* field, std::vector<std::string> sequencePaths, std::string recurrentPath) {
  connect(field, &ChoiceField::chosen, this,
          [this, sequencePaths = std::move(sequencePaths), recurrentPath = std::move(recurrentPath)](const QString& v) {
            const bool sequences = lookUp(m_draft.spec().config, "family") == "seq2seq";
            std::vector<Setting> settings;
            if (sequences)
              for (const std::string& path : sequencePaths) settings.push_back({path, v.toStdString()});
            else
              settings.push_back({recurrentPath, v.toStdString()});
            m_draft.setConfig(settings);
          });
}

void ModelSection::bind(WholeField* field, std::string path) {
  connect(field, &QSpinBox::valueChanged, this, [this, path = std::move(path)](int value) {
    m_draft.setConfig({{path, std::to_string(value)}});
  });
}

static QString word(const Json& config, const std::string& path, const char* otherwise) {
  const Json found = lookUp(config, path);
  return found.is_string() ? text(found.get<std::string>()) : QString::fromLatin1(otherwise);
}

static int whole(const Json& config, const std::string& path, int otherwise = 1) {
  const Json found = lookUp(config, path);
  return found.is_number_integer() ? found.get<int>() : otherwise;
}

void ModelSection::refresh() {
  const Json& config = m_draft.spec().config;
  const bool sequences = lookUp(config, "family") == "seq2seq";
  const bool attends = lookUp(config, "attention").is_object();
  const std::string at = sequences ? "encoder." : "";
  m_family->setText(sequences ? tr("encoder–decoder") : tr("recurrent"));
  m_context->show(word(config, "context", "attention"));
  m_attends->show(attends ? "yes" : "no");
  m_cell->show(word(config, at + "cell", ""));
  m_reset->show(word(config, at + "reset", "after"));
  m_directions->show(lookUp(config, "encoder.bidirectional") == true ? "true" : "false");
  m_bridge->show(word(config, "bridge", "tanh"));
  m_memory->show(word(config, "attention.memory", "states"));
  m_joins->show(word(config, "attention.joins", "state"));
  m_encoderHidden->show(whole(config, "encoder.hidden"));
  m_encoderLayers->show(whole(config, "encoder.layers"));
  m_decoderHidden->show(whole(config, "decoder.hidden"));
  m_decoderLayers->show(whole(config, "decoder.layers"));
  m_embedding->show(whole(config, "embedding"));
  m_hidden->show(whole(config, "hidden"));
  m_layers->show(whole(config, "layers"));
  m_inputEmbedding->show(whole(config, "input.embedding"));

  for (QWidget* row : {static_cast<QWidget*>(m_context), static_cast<QWidget*>(m_directions), m_encoderSize,
                       m_decoderSize, static_cast<QWidget*>(m_embedding), static_cast<QWidget*>(m_bridge)})
    setRowVisible(row, sequences);
  setRowVisible(m_attends, !sequences);
  setRowVisible(m_size, !sequences);
  setRowVisible(m_inputEmbedding, lookUp(config, "input.kind") == "token");
  setRowVisible(m_memory, !sequences && attends);
  setRowVisible(m_joins, !sequences && attends);
  setRowVisible(m_reset, m_cell->value() == "gru");
}

}  // namespace attnscope
