import type { EngineState } from '../../shared/contract/model.ts'

/** How the engine for local models stands; the machine of a test cannot bring it into every state. */
export const anEngine = (given: Partial<EngineState> = {}): EngineState => ({
  phase: 'stopped',
  modelId: null,
  modelName: '',
  progress: null,
  contextTokens: null,
  hosting: 'process',
  error: null,
  fix: null,
  fixes: [],
  notice: null,
  ...given,
})
