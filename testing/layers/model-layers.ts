/**
 * Allowed imports of the code for models: formats, the interface of engines, the engines, and stored facts
 * about models.
 */
export const modelLayers: Record<string, readonly string[]> = {
  'src/main/models/formats/reader': [],
  // How tools are presented to models and how models write calls; `reader` parses the calls.
  'src/main/models/formats': ['src/main/models/formats/reader'],
  // The interface of engines: types, and how tokens are counted.
  'src/main/models/interface': ['type src/main/models/formats', 'src/shared'],
  // A provider knows the interface and the shared code, never another provider.
  'src/main/models/engines/local': [
    'node',
    'node-llama-cpp',
    'zod',
    'src/main/lib',
    'src/main/models/*',
    'src/main/models/formats',
    'src/main/models/interface',
    'src/shared',
  ],
  'src/main/models/engines/openai': [
    'node',
    'openai',
    'src/main/lib',
    'src/main/models/engines/shared',
    'src/main/models/interface',
    'src/shared',
  ],
  'src/main/models/engines/anthropic': [
    '@anthropic-ai/sdk',
    'src/main/lib',
    'src/main/models/engines/shared',
    'src/main/models/interface',
    'src/shared',
  ],
  // Shared by the remote providers.
  'src/main/models/engines/shared': [
    'node',
    'src/main/lib',
    'src/main/models/*',
    'src/main/models/formats',
    'src/main/models/interface',
    'src/main/untrusted',
    'src/shared',
  ],
  // Asks another engine if one fails.
  'src/main/models/engines/routing': ['src/main/models/formats', 'src/main/models/interface'],
  'src/main/models/files': ['node', 'zod', 'src/main/lib', 'src/main/models', 'src/shared'],
  'src/main/models/download': ['node', 'zod', 'src/main/lib', 'src/main/models', 'src/shared'],
  // Several models answer one question.
  'src/main/models/mixtures': [
    'zod',
    'src/main/lib',
    'src/main/models/*',
    'type src/main/models/files',
    'src/main/models/interface',
    'src/main/tools/registry',
    'src/main/tools/tell',
    'src/main/untrusted',
    'src/shared',
  ],
  'src/main/models': [
    'node',
    'zod',
    'src/main/config',
    'src/main/lib',
    'src/main/models',
    'src/main/untrusted',
    'src/shared',
  ],
}
