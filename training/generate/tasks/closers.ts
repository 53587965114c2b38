import {
  readSummary,
  writeSummary,
  emptySummary,
  frameSummary,
} from '../../../src/main/agent/compaction/summary.ts'
import { spellJson } from '../../../src/main/models/formats/write-calls.ts'
import { reviewText, summaryText, triageText, type LookBack } from '../questions.ts'
import type { Talk } from '../talk.ts'
import { descriptionOf, numbered } from './skill-words.ts'

/** What nobody wants kept, as a review is told. It never concerns what is found here. */
const RULES = [
  'Nothing about my health',
  'No prices',
  'User is looking for a present',
  'Names of colleagues',
  'Nothing about games',
  'The weather',
  'What I had for lunch',
  'Passwords of any kind',
]

function question(talk: Talk): LookBack {
  const { random } = talk
  return {
    kinds: random.pick([['memory', 'skills'], ['memory', 'skills'], ['memory'], ['skills']]),
    rules: random.chance(0.12) ? random.some(RULES, random.between(1, 2)).map(text => ({ text })) : [],
  }
}

/** What a look back finds: what was told and not kept, and a way of doing something. */
function found(talk: Talk, kinds: LookBack['kinds']): { facts: string[]; procedure: string } {
  const facts = kinds.includes('memory') ? talk.pending.map(({ fact }) => fact.stored) : []
  const { procedure } = talk
  const way =
    procedure && kinds.includes('skills') ? `${procedure.said}: ${procedure.commands.join(', then ')}` : ''
  return { facts, procedure: way }
}

/** The first, cheap question of a review, and its answer. */
export function firstLook(talk: Talk): void {
  const asked = question(talk)
  const { facts, procedure } = found(talk, asked.kinds)
  const worth = facts.length > 0 || procedure !== ''
  talk.ask(triageText(asked))
  talk.answer(spellJson({ worth, facts, procedure }), {
    kind: 'fact',
    facts: worth ? [...facts, procedure].filter(each => each !== '').map(inJson) : ['"worth": false'],
  })
}

/** A text as it stands inside JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The review itself: it saves what was noticed, or nothing. */
export async function review(talk: Talk): Promise<void> {
  const asked = question(talk)
  const { facts, procedure } = found(talk, asked.kinds)
  const noticed = [...facts, procedure].filter(each => each !== '').map(each => `“${each}”`)
  talk.ask(reviewText(asked, noticed.length > 0 && talk.random.chance(0.9) ? noticed.join('; ') : undefined))
  if (noticed.length === 0) {
    talk.answer('Nothing to save.', { kind: 'fact', facts: ['Nothing to save.'] })
    return
  }
  const kept: string[] = []
  for (const { fact, old } of facts.length > 0 ? talk.pending : []) {
    const { target, stored: content } = fact
    const change = old ? { action: 'replace', content, old_text: old.stored } : { action: 'add', content }
    await talk.call('memory', { target: old?.target ?? target, ...change })
    kept.push(content)
  }
  if (procedure !== '' && talk.procedure) {
    const { name, commands } = talk.procedure
    await talk.call('skills_list', {})
    const content = numbered(commands.map(command => `Run \`${command}\`.`))
    await talk.call('skill_manage', { action: 'create', name, description: descriptionOf(name), content })
    kept.push(`the skill ${name}`)
  }
  talk.answer(`Kept: ${kept.join('; ')}.`, { kind: 'fact', facts: kept })
}

/** Stands in the place of earlier messages, as after a compaction. */
export function earlierSummary(talk: Talk, requests: readonly string[]): void {
  const [goal = '', ...done] = requests
  const text = frameSummary(writeSummary({ ...emptySummary(), Goal: [goal], Done: done }))
  talk.ask(text)
  talk.summary = { goal, done: [...done] }
}

/** The summary that makes room: the first request is the goal, the others are done, and the files are named. */
export function summary(talk: Talk): void {
  const { random } = talk
  const isRequest = (text: string) => !text.startsWith('[')
  const said = talk.history.flatMap(message =>
    message.role === 'user' && isRequest(message.text) ? [message.text] : [],
  )
  const { summary: earlier } = talk
  const goal = earlier?.goal ?? said[0] ?? ''
  const later = earlier ? said.slice(talk.beforeSummary) : said.slice(1)
  const focus = random.chance(0.15) ? `the ${talk.slot('noun')}` : ''
  talk.ask(
    summaryText({
      words: random.between(112, 700),
      focus,
      hasEarlier: earlier !== undefined,
    }),
  )
  const paths = talk.history.flatMap(message =>
    message.role === 'assistant'
      ? message.calls.flatMap(call =>
          typeof call.arguments['path'] === 'string' ? [call.arguments['path']] : [],
        )
      : [],
  )
  const written = writeSummary({
    ...emptySummary(),
    Goal: [goal],
    Constraints: focus === '' ? [] : [focus],
    Done: [...(earlier?.done ?? []), ...later],
    Files: [...new Set(paths)],
  })
  talk.answer(written, { kind: 'fact', facts: [goal, ...later] })
  if (writeSummary(readSummary(written)) !== written)
    throw new Error(`The product reads this summary in another way: ${written}`)
}
