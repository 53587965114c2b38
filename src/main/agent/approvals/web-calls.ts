import type { PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import { ruleName } from '../../../shared/words/permission-words.ts'
import { siteOf } from '../../lib/network/web-address.ts'
import type { Intent, WebIntent } from '../../tools/registry/tool.ts'
import { textBehind, unreadOf } from './why-marked.ts'
import { allowOwn, byPolicy, denyUnasked, type Question, type Verdict } from './verdict.ts'
import { doubtOfWeb, type Doubt } from './web-known.ts'

/** The grant that the first card about the web gives to the trial run of a schedule. */
const WEB_GRANT = 'search the web, and read what is found and what its task names'
const siteGrant = (site: string) => `read pages of ${site}, at addresses that hold nothing of the chat`

const FIRST = 'It would search the web and read pages, and its trial run was not allowed to.'
const FIRST_TRIAL =
  'It wants to use the web. If you allow it, the schedule may search, read what it finds, and read what its task names. It may not send anything of your files or memory.'

/**
 * Decide on a web call, after the user's rules that stop calls. Found addresses and the user's own words need
 * no card in any mode. Everything else asks. It asks in every mode while a stranger's text is in the chat;
 * then only rules and grants that name a site apply, and only to addresses with nothing from the chat.
 */
export function decideWeb(question: Question, web: WebIntent): Verdict {
  const { tool, intent, mode, rules = [], strangers } = question
  const known = question.web
  const doubt = doubtOfWeb(web, known)
  const grants = new Set(question.grants)
  if (!doubt) {
    if (!known?.needsGrant || grants.has(WEB_GRANT)) return allowOwn(byPolicy('web'))
    if (mode === 'none') return denyUnasked(FIRST)
    return { ...asking(FIRST_TRIAL, doubt), mayAllowInChat: true, grant: WEB_GRANT }
  }
  const marks = unreadOf(strangers)
  if (doubt.site !== undefined) {
    const rule = rules.find(each => coversSite(each, tool, intent))
    if (rule) return allowOwn({ by: 'rule', rules: [ruleName(rule)] })
    if (grants.has(siteGrant(doubt.site)))
      return { verdict: 'allow', ground: { by: 'grant' }, access: 'unconfined', byUser: true }
  }
  if (mode === 'full' && marks.length === 0 && !doubt.always) return allowOwn({ by: 'mode' })
  const reason = marks.length > 0 ? textBehind(doubt.why, marks) : doubt.why
  if (mode === 'none') return denyUnasked(reason)
  return {
    ...asking(reason, doubt),
    ...(marks.length > 0 && { texts: marks }),
    ...(doubt.site !== undefined && {
      mayAllowInChat: true,
      grant: siteGrant(doubt.site),
      folderRules: [{ tool, more: false, folder: null, site: doubt.site }],
    }),
  }
}

const asking = (reason: string, doubt: Doubt | undefined) => ({
  verdict: 'ask' as const,
  reason,
  mayAllowInChat: false,
  obeyed: 'nothing' as const,
  ...(doubt && { sends: doubt.sends }),
})

/** Whether a rule of the user allows reading every address of a site. */
const coversSite = (rule: PermissionRule, tool: string, { web }: Intent): boolean =>
  rule.effect === 'allow' && rule.tool === tool && rule.site !== undefined && fitsSite(rule, web)

/** Whether a call is about the site of a rule. A rule without a site matches every call. */
export const fitsSite = ({ site }: Pick<PermissionRule, 'site'>, web: WebIntent | undefined): boolean =>
  site === undefined || (web?.kind === 'read' && nameOf(siteOf(web.address)) === nameOf(site))

/** Remove a trailing dot from a host name; both forms lead to the same host. */
const nameOf = (site: string): string => site.replace(/\.(?=:\d+$|$)/, '')
