import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

/** The scheme of links that open Talaria, without its colon. */
export const linkScheme = 'talaria'

const longestText = 10_000
const pages = ['memory', 'skills', 'activity', 'models', 'settings'] as const

/** Whether an argument of a start is a link. */
export const isLink = (argument: string): boolean => argument.toLowerCase().startsWith(`${linkScheme}:`)

/**
 * What a link opens: `talaria://new?text=…`, `talaria://chat/<id>`, `talaria://settings/privacy` or another page. Any page in a
 * browser may open one, so a link only shows something or fills in a field; hidden characters of its text become visible.
 * Undefined for anything else.
 */
export function readLink(text: string): WindowRequest | undefined {
  const url = isLink(text) && text.length <= 4 * longestText ? URL.parse(text) : null
  if (!url) return undefined
  const [tab = '', ...deeper] = url.pathname.split('/').filter(part => part !== '')
  if (deeper.length > 0) return undefined
  if (url.host === 'new') {
    const draft = url.searchParams.get('text')?.trim() ?? ''
    return draft === ''
      ? { type: 'chat', id: null }
      : { type: 'draft', text: showHidden(draft.slice(0, longestText)) }
  }
  if (url.host === 'chat') return /^[\w-]{1,100}$/.test(tab) ? { type: 'chat', id: tab } : undefined
  const page = pages.find(each => each === url.host)
  return page && { type: 'page', page, tab: /^[a-z]{1,40}$/.test(tab) ? tab : null }
}
