import type { Model, ModelOptions, ModelServer } from '../../shared/contract/model.ts'
import { isThisComputer } from '../lib/offline.ts'
import type { ServerEntry } from './server-entry.ts'

/** A model on a server as a person sees it; nobody asks the server for this. */
export function describeServer(
  id: string,
  server: ServerEntry,
  key: ModelServer['key'],
  options: ModelOptions,
): Model {
  const url = URL.parse(server.base_url)
  return {
    id,
    name: server.name,
    kind: 'server',
    detail: `${server.model} · ${url?.host ?? server.base_url}`,
    sizeBytes: null,
    contextTokens: options.contextTokens ?? server.context_tokens ?? null,
    demo: false,
    problem: null,
    file: null,
    server: {
      serverId: server.id,
      protocol: server.protocol ?? 'openai',
      baseUrl: server.base_url,
      model: server.model,
      nearby: url !== null && isThisComputer(url.hostname),
      key,
    },
    options,
  }
}
