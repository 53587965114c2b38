import type { ForgetPlan } from '../../../shared/contract/learned/memory.ts'
import { many } from '../../../shared/text/amounts.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { everNamed } from './memory-actions.ts'
import { withClient } from '../open-client.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { escapeInvisible, printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true; yes?: true }

const UNANSWERABLE = 'There is no terminal to confirm this. Add --yes to forget without asking.'

/**
 * Forget entries for good, after listing what is removed and which chats and skills still contain it.
 * Resolves to whether the user agreed and nothing is left.
 */
export async function memoryForget(given: string[], { home, json, yes }: Options): Promise<boolean> {
  return withClient(home, async client => {
    const ids: string[] = []
    for (const each of given) ids.push(await everNamed(client, each))
    const plan = await client['memory.forgetPlan']({ ids })
    if (!yes) {
      for (const line of describePlan(plan)) printAside(line)
      if (!(await confirmOnTerminal('Forget this for good? This cannot be undone.', UNANSWERABLE)))
        return false
    }
    const { left } = await client['memory.forgetForGood']({ ids, texts: plan.texts })
    if (json) printLine(jsonLine({ ids, chats: plan.chats, skills: plan.skills, left }))
    else {
      printLine(
        `Forgotten for good: ${many(plan.entries, 'entry', 'entries')}${left.length > 0 ? ', but not all of it' : ''}.`,
      )
      for (const { path, why } of left)
        printAside(`    ${showHiddenInLine(path)}: ${why}. Talaria tries again at each start.`)
      for (const line of describeHolders(plan)) printAside(line)
    }
    return left.length === 0
  })
}

const describePlan = (plan: ForgetPlan): string[] => [
  'This is removed from the memory files, the archive, the history, Activity and the backups that Talaria keeps:',
  ...plan.texts.map(text => `    ${escapeInvisible(text)}`),
  ...describeHolders(plan),
]

function describeHolders(plan: ForgetPlan): string[] {
  const skills = plan.skills.map(({ id, name }) => `    ${id}  ${showHiddenInLine(name)}`)
  return [
    ...(skills.length === 0 ? [] : ['These skills contain it too; change or delete them:', ...skills]),
    ...describeChats(plan),
  ]
}

function describeChats({ chats }: ForgetPlan): string[] {
  const outside = 'Exports and copies outside the home folder are not changed.'
  if (chats.length === 0) return [`No chat seems to contain it. ${outside}`]
  return [
    'These chats still contain it; “talaria chats delete” and then “talaria chats purge” remove a chat for good:',
    ...chats.map(
      ({ id, title, isDeleted }) =>
        `    ${id}  ${showHiddenInLine(title || 'New chat')}${isDeleted ? ' (deleted)' : ''}`,
    ),
    outside,
  ]
}
