import { Fault } from '../../shared/rpc.ts'

/** A server as the configuration keeps it; its key is kept elsewhere, under `keyNameOf`. */
export type ServerEntry = {
  id: string
  name: string
  base_url: string
  model: string
  strategy?: 'text' | 'structured' | undefined
  context_tokens?: number | undefined
}

/** Make an entry from what a person typed, with an id that none of the `others` has. Throws `bad_input` for an address that cannot be one. */
export function newServerEntry(
  typed: { name: string; baseUrl: string; model: string },
  others: readonly ServerEntry[],
): ServerEntry {
  const slug = slugOf(typed.name)
  const taken = new Set(others.map(each => each.id))
  let id = slug
  for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`
  return { id, name: typed.name.trim(), base_url: baseUrlOf(typed.baseUrl), model: typed.model.trim() }
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || 'server'

/** People give the address of the server, of its API, or of the one request they found in a manual; all mean the API. */
function baseUrlOf(typed: string): string {
  const url = URL.parse(typed.trim())
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Fault('bad_input', 'The address must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw new Fault(
      'bad_input',
      'Leave name and password out of the address, and put the key into its own field.',
    )
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|completions|models)$/, '')
  return `${url.origin}${path === '' ? '/v1' : path}`
}

/** The name under which the key of a server is kept. */
export const keyNameOf = (id: string): string => `TALARIA_SERVER_${id.toUpperCase().replace(/\W/g, '_')}_KEY`
