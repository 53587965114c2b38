import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aReply } from '../../../../testing/agent/a-turn.ts'
import { aChat, said, talk } from '../../../../testing/agent/a-chat.ts'
import { summaryPrompt } from './ask-summary.ts'
import { judgeSummary } from './judge-summary.ts'
import { frameSummary, isFramed, summaryIn, SECTIONS } from './summary.ts'

// The labelled summaries are in `evals/summaries/`, whose test judges each of them. These tests cover
// everything that is not about single texts.

const facts = [
  'My name is Vera and I live in Graz. I am a nurse and I work night shifts.',
  'Never recommend coffee, it gives me headaches.',
  'My colleague Ines has her birthday on 4 May.',
]
const chatWith = (reply: string) => {
  const chat = aChat({ replies: () => reply })
  chat.say(said('Hello.'), aReply('Hello.'), ...facts.flatMap(fact => [said(fact), aReply('I see.')]))
  chat.say(...talk(40))
  return chat
}

test('each part of what we ask a model with is refused as a summary, whatever the focus', () => {
  const given = { words: 120, hasEarlier: true, focus: 'the port' }
  const sentences = summaryPrompt(given)
    .split(/(?<=[.:]) |\n+/)
    .filter(sentence => sentence.split(' ').length >= 8 && !sentence.includes('the port'))
  expect(sentences.length).toBeGreaterThan(8)
  for (const sentence of sentences) {
    const summary = SECTIONS.slice(0, 5)
      .map(section => `## ${section}\n- ${sentence}`)
      .join('\n')
    expect(judgeSummary(summary, facts), sentence).toBe('instructions')
  }
})

test('a chat about our own texts may have a summary that holds them', () => {
  const about = [...facts, `Our prompt is: ${summaryPrompt({ words: 1, hasEarlier: true, focus: '' })}`]
  const summary =
    '## Goal\n- Shorten the prompt\n## Gotchas\n- It says: “The earlier part of this conversation is about to be taken away from you to make room”'
  expect(judgeSummary(summary, about)).toBeUndefined()
  expect(judgeSummary(summary, facts)).toBe('instructions')
})

test('what was to be kept may stand in a summary', () => {
  const summary = '## Goal\n- Keep the night shifts of Vera in Graz in mind\n## Constraints\n- Never coffee'
  expect(judgeSummary(summary, facts)).toBeUndefined()
})

test('of a long chat two questions alone are an echo', () => {
  const long = [
    ...facts,
    ...Array.from({ length: 30 }, (_, n) => `Bed ${n} of the garden holds ${n * 7} plants.`),
  ]
  const question = 'Which dinner is light enough before a night shift in Graz?'
  expect(judgeSummary(`## Goal\n- ${question}`, [...long, question])).toBe('echo')
  expect(judgeSummary(`## Goal\n- ${question}\n- Dinner for Vera`, [...long, question])).toBeUndefined()
})

test('any text is judged, and none that is empty or without items is kept as a summary', () => {
  const line = fc.oneof(fc.string(), fc.constantFrom(...SECTIONS.map(each => `## ${each}`), '- a', ...facts))
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.string()), (lines, messages) => {
      const verdict = judgeSummary(lines.join('\n'), messages)
      if (!lines.some(each => each.startsWith('##'))) expect(['nothing', undefined]).toContain(verdict)
      else expect(typeof verdict === 'string' || verdict === undefined).toBe(true)
    }),
  )
})

test('a refused summary is made by rules, says why, and holds what the person said', async () => {
  const prompt =
    'The user does not read this, and nothing above is to be answered now. The earlier part of this conversation is about to be taken away from you'
  const junk = SECTIONS.slice(0, 5)
    .map(section => `## ${section}\n- ${prompt}`)
    .join('\n\n')
  const chat = chatWith(junk)
  expect(await chat.compactHistory()).toBe('compacted')
  const { by, refused, summary } = chat.kept[0]!
  expect({ by, refused }).toEqual({ by: 'local', refused: 'instructions' })
  expect(summary).not.toContain('answered now')
  for (const fact of ['Vera', 'Graz', 'nurse', 'night shifts', 'coffee', 'Ines', '4 May'])
    expect(summary).toContain(fact)
  expect(chat.events.findLast(event => event.type === 'compacted')).toMatchObject({ compaction: { refused } })
})

test('a good summary of a model names no refusal', async () => {
  const chat = chatWith('## Goal\n- Sleep advice for Vera, a nurse in Graz with night shifts')
  await chat.compactHistory()
  expect(chat.kept[0]).toMatchObject({ by: 'model' })
  expect(chat.kept[0]).not.toHaveProperty('refused')
})

test('the frame around a summary has no sentence that a model could say', async () => {
  const framed = frameSummary('## Goal\n- Vera')
  expect(framed.replace('## Goal\n- Vera', '')).not.toMatch(/[.!?](?:\s|\]|$)/)
  expect(isFramed(frameSummary('x'))).toBe(true)
  expect(summaryIn(frameSummary('x'))).toBe('x')
  const chat = chatWith('## Goal\n- Sleep advice for Vera, a nurse in Graz')
  await chat.compactHistory()
  expect(JSON.stringify(chat.sent())).not.toContain('goes on from here')
  chat.say(...talk(10))
  await chat.compactHistory({ byHand: true })
  expect(JSON.stringify(chat.engine.prompts.at(-1)!.messages)).not.toContain('goes on from here')
})
