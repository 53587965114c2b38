import type { ObeyedChange } from '../../../../shared/contract/chats/messages.ts'
import type { ObeyedReport } from './create-guards.ts'

/** Maximum number of sentences, and of names in one sentence. */
const MOST = { sentences: 6, names: 5 }

/** Describe changes of obeyed files for a model or the user, with one sentence for each kind. */
export function tellObeyed({ changes }: Pick<ObeyedReport, 'changes'>, subject = 'It'): string[] {
  const kinds = new Map<string, { change: ObeyedChange; names: string[] }>()
  for (const change of changes) {
    const key = [change.how, change.by, change.tier, change.kept].join('\n')
    const kind = kinds.get(key)
    if (kind) kind.names.push(change.path)
    else kinds.set(key, { change, names: [change.path] })
  }
  const sentences = [...kinds.values()].map(({ change, names }) =>
    sentenceFor(change, listed(names), subject),
  )
  const rest = sentences.length - MOST.sentences
  return rest > 0
    ? [...sentences.slice(0, MOST.sentences), `And ${rest} more changes of this kind.`]
    : sentences
}

/** Quote a name from the disk if it is unusual, so that a line break in it cannot fake a sentence. */
const shown = (name: string) => (/[\s"\\\p{Cc}\p{Cf}]/u.test(name) ? JSON.stringify(name) : name)

function listed(names: readonly string[]): string {
  const first = names.slice(0, MOST.names).map(shown)
  const rest = names.length - first.length
  return rest > 0 ? `${first.join(', ')} and ${rest} more` : first.join(', ')
}

const WHO: Readonly<Record<string, string>> = {
  agents: 'agents obey',
  'MCP clients': 'MCP clients obey',
  'containers for development': 'containers for development obey',
  'git hooks': 'git runs',
}
/** The verb phrase for a program, such as “VS Code obeys”. */
export const tellObeyedBy = (by: string): string => WHO[by] ?? `${by} obeys`

const VERBS = { new: 'made', changed: 'changed', gone: 'removed' } as const

function sentenceFor({ how, by, tier, kept }: ObeyedChange, names: string, subject: string): string {
  if (tier === 2 && by.startsWith('`npm ') && how !== 'gone')
    return `${subject} ${VERBS[how]} what ${by} runs (${names}).`
  const who = tier === 2 ? `${by} runs` : tellObeyedBy(by)
  const what = `${subject} ${VERBS[how]} ${names}, which ${who}`
  if (kept === 'put aside') return `${what}. That was put aside and is not in the folder.`
  if (kept === 'put back') return `${what}. It is again what it was; the other text was put aside.`
  return `${what}.`
}
