import { Fault } from '../../shared/rpc.ts'

/** The two protocols that servers speak. */
export type ServerProtocol = 'openai' | 'anthropic'

/** A server as the configuration keeps it; its key is kept elsewhere, under `keyNameOf`. */
export type ServerEntry = {
  id: string
  name: string
  /** OpenAI’s where nothing is said. */
  protocol?: ServerProtocol | undefined
  base_url: string
  model: string
  strategy?: 'text' | 'structured' | undefined
  context_tokens?: number | undefined
  cache_ttl?: '5m' | '1h' | undefined
  thinking_tokens?: number | undefined
  price_input?: number | undefined
  price_cached?: number | undefined
  price_output?: number | undefined
}

/** What a person types to add a server. */
export type TypedServer = { name: string; baseUrl: string; model: string; protocol?: ServerProtocol }

/** Make an entry from what a person typed, with an id that none of the `others` has. Throws `bad_input` for an address that cannot be one. */
export function newServerEntry(typed: TypedServer, others: readonly ServerEntry[]): ServerEntry {
  const slug = slugOf(typed.name)
  const taken = new Set(others.map(each => each.id))
  let id = slug
  for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`
  const { protocol = 'openai' } = typed
  return {
    id,
    name: typed.name.trim(),
    ...(protocol !== 'openai' && { protocol }),
    base_url: baseUrlOf(typed.baseUrl, protocol),
    model: typed.model.trim(),
  }
}

/** Whether two entries name the same model at the same place. */
export const isSameServer = (a: ServerEntry, b: ServerEntry): boolean =>
  a.base_url === b.base_url && a.model === b.model && (a.protocol ?? 'openai') === (b.protocol ?? 'openai')

/** A known server as it was typed anew. It keeps its id, and what is known of its model for as long as that is the same one. */
export function changedEntry(known: ServerEntry, { id: _new, ...typed }: ServerEntry): ServerEntry {
  const { protocol: _old, ...rest } = known
  return known.model === typed.model ? { ...rest, ...typed } : { id: known.id, ...typed }
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || 'server'

/**
 * People give the address of the server, of its API, or of the one request they found in a manual; all mean the API.
 * OpenAI’s begins with its version, Anthropic’s stands before it. Throws `bad_input`.
 */
export function baseUrlOf(typed: string, protocol: ServerProtocol): string {
  const url = URL.parse(typed.trim())
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Fault('bad_input', 'The address must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw new Fault(
      'bad_input',
      'Leave name and password out of the address, and put the key into its own field.',
    )
  const path = url.pathname.replace(/\/+$/, '')
  if (protocol === 'anthropic') return url.origin + path.replace(/\/(v1\/(messages|models)|messages|v1)$/, '')
  const api = path.replace(/\/(chat\/completions|completions|models)$/, '')
  return `${url.origin}${api === '' ? '/v1' : api}`
}

/** The name under which the key of a server is kept. */
export const keyNameOf = (id: string): string => `TALARIA_SERVER_${id.toUpperCase().replace(/\W/g, '_')}_KEY`
