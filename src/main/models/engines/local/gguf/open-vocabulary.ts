import { isFailure, type EngineFailure } from '../../../interface/engine.ts'
import { readGguf } from './read-gguf.ts'
import { openRuntime } from '../process/runtime.ts'

/** Counts tokens as a model does. `name` is the model's name. */
type Vocabulary = { name: string; count(this: void, text: string): number } & AsyncDisposable

/** Open the vocabulary of a model file without its weights. Markup in texts counts as plain text. */
export async function openVocabulary(path: string): Promise<Vocabulary | EngineFailure> {
  // Check for duplicate tokens, which would abort this process.
  const facts = await readGguf(path, { checkVocabulary: true })
  if (isFailure(facts)) return facts
  const { llama } = await openRuntime('off')
  const model = await llama.loadModel({ modelPath: path, vocabOnly: true })
  return {
    name: facts.name,
    count: text => model.tokenize(text, false).length,
    [Symbol.asyncDispose]: () => model.dispose(),
  }
}
