import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asksRepetition, createRepetitionDetector, withoutRepeats } from './detect-repetition.ts'

/** Whether a text counts as repeating, fed in pieces of any size. */
function circles(text: string, { inCall = false, isWanted = false, piece = 7 } = {}): boolean {
  const detector = createRepetitionDetector({ isWanted })
  let found = false
  for (let at = 0; at < text.length; at += piece) found = detector.push(text.slice(at, at + piece), inCall)
  return found
}
const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

const sensible: [string, string][] = [
  ['a rule of dashes', `Before\n${'-'.repeat(400)}\nafter`],
  [
    'a wide table',
    `| ${'Column | '.repeat(20)}\n|${'---|'.repeat(20)}\n${lines(40, n => `| ${n} |${' x |'.repeat(19)}`)}`,
  ],
  ['an empty table to fill in', lines(60, () => '|        |        |        |        |')],
  ['a filled box', lines(20, () => '#'.repeat(78))],
  ['a board of dots', lines(30, () => '. '.repeat(30))],
  ['a maze', lines(40, n => (n % 2 ? '+--+--+--+--+--+--+' : '|  |     |  |     |'))],
  ['a very long no', `N${'o'.repeat(600)}!`],
  ['a chess board in HTML', lines(64, () => '    <div class="square"></div>')],
  ['a grid of a hundred cells', lines(100, () => '    <td class="cell"></td>')],
  [
    'cards with the same placeholder',
    '<div class="card">\n  <h3>Title</h3>\n  <p>Lorem ipsum dolor sit amet</p>\n</div>\n'.repeat(12),
  ],
  [
    'many similar lines of code',
    lines(300, n => `  this.register('event${n}', this.onEvent${n}.bind(this))`),
  ],
  ['a zero matrix', `[${lines(28, () => `[${'0, '.repeat(28)}],`)}]`],
  [
    'columns of measurements',
    lines(900, n => `${(n * 7919) % 1000},${(n * 104_729) % 1000},${(n * 31) % 97}.5`),
  ],
  [
    'a hex dump of nothing',
    lines(120, n => `${(n * 16).toString(16).padStart(8, '0')}  ${'00 '.repeat(16)} |................|`),
  ],
  [
    'the times tables',
    lines(
      144,
      n => `${Math.floor(n / 12) + 1} times ${(n % 12) + 1} is ${(Math.floor(n / 12) + 1) * ((n % 12) + 1)}`,
    ),
  ],
  ['a list of like things', lines(100, n => `${n + 1}. Item number ${n + 1}`)],
  ['numbered names', lines(300, n => `word${n}`)],
  ['test rows', lines(200, n => `INSERT INTO users (id, name) VALUES (${n}, 'User ${n}');`)],
  [
    'a log',
    lines(
      300,
      n => `2024-05-01 12:00:${n % 60} INFO [worker-${n % 4}] request ${n} took ${(n * 37) % 400} ms`,
    ),
  ],
  ['an indented end', `function a() {\n${' '.repeat(700)}\n}`],
  ['leaders of a table of contents', lines(40, n => `Chapter ${n} ${'.'.repeat(90)} ${n * 7}`)],
]

test.for(sensible)('%s is not repetition', ([, text]) => {
  expect([circles(text), circles(text, { isWanted: true })]).toEqual([false, false])
})

const wanted: [string, string][] = [
  ['laughter', 'ha '.repeat(300)],
  ['a punishment', 'I will not talk in class.\n'.repeat(100)],
  [
    'a refrain',
    'Row, row, row your boat\nGently down the stream\nMerrily, merrily, merrily, merrily\nLife is but a dream\n\n'.repeat(
      8,
    ),
  ],
  ['the end of a long song', 'Na, na na, nananana, nananana, hey Jude\n'.repeat(19)],
  ['a poem with a varying line', lines(99, n => `${99 - n} bottles of beer on the wall, take one down`)],
]

test.for(wanted)('%s is repetition unless it was asked for', ([, text]) => {
  expect([circles(text), circles(text, { isWanted: true })]).toEqual([true, false])
})

test.for([
  'Write “I will not talk in class” a hundred times',
  'write the word hello 50 times',
  'Count from 1 to 100 in words',
  'Give me 200 lines of test data',
  'the lyrics of a song with a refrain please',
  'Schreib das dreißig- nein, 40 mal',
  'répète ce mot',
  '把这句话写100遍',
  'повтори это слово',
])('“%s” asks for repetition', text => {
  expect(asksRepetition(text)).toBe(true)
})

test.for([
  'Hi! What can you do?',
  'What is 17 + 25?',
  'List the files here',
  'Write a long essay about the sea',
  'Remember that I use pnpm',
  'I was born in 1987, how old am I?',
  'Meeting at 10:30 in room 214',
  'Wie wird das Wetter?',
])('“%s” does not', text => {
  expect(asksRepetition(text)).toBe(false)
})

// Modelled on real loops of two small models (the review of 28 November 2026), each with the latest position
// at which it must be stopped.
const inCircles: [string, number, string][] = [
  [
    'one phrase in two forms',
    1_500,
    Array.from({ length: 200 }, (_, n) =>
      (n * 7919) % 3 === 0
        ? "I'm going to try to figure it out. "
        : "I'm going to try to figure out what it is. ",
    ).join(''),
  ],
  ['a list with one short line', 1_500, lines(600, n => `${n + 1}. The list of tasks to do,`)],
  ['two letters', 1_500, 'Yz'.repeat(3_000)],
  ['lines of one mark', 2_000, '# \n#\n'.repeat(2_000)],
  [
    'Chinese',
    1_500,
    Array.from({ length: 300 }, (_, n) => (n % 3 ? '我会尽力帮助你。' : '我会努力帮助你。')).join(''),
  ],
]

// Text by SmolLM2-135M-Instruct (29 November 2026): long sentences that recur with a word or number changed.
const roll =
  'You can bring the toilet paper rolls that are made from recycled materials such as recycled plastic or some other materials, but if you already have a lid of your toilet water container that is made from recycled materials then you just have to get rid of it! This includes everything including using a toilet roll bag. If you decide to use plastic do not discard it and take it down a little bit because they are very good for recycling them now.'
const sea = (end: string) =>
  `The sea has been called the mother of stories because it is very different from other lands - too far away and she doesn’t take no things that could make you happy either way but if you are someone who loves her or anything else, then there would never be another person in your life ${end}. `
const longCircles: [string, string][] = [
  ['a numbered list of one long point', lines(20, n => `${n + 11}. Toilet Paper Roll: ${roll}\n`)],
  [
    'one long sentence with two ends',
    Array.from({ length: 20 }, (_, n) =>
      sea(
        n % 3
          ? 'who could love anyone more than any other person for example'
          : 'which means you didn’t love anyone',
      ),
    ).join(''),
  ],
]

test.for(longCircles)('%s ends within 2,200 characters', ([, text]) => {
  expect(circles(text.slice(0, 2_200))).toBe(true)
  expect(withoutRepeats(text.slice(0, 2_200)).length).toBeLessThan(900)
})

test.for(inCircles)('%s ends early', ([, most, text]) => {
  expect(circles(text.slice(0, most))).toBe(true)
  expect(withoutRepeats(text.slice(0, most)).length).toBeLessThan(most / 2)
})

const sentence = 'I am sorry, but I cannot help you with that, because I am only a language model. '
const who = ['fox', 'heron', 'old miller', 'king', 'child']
const where = ['in the wood', 'at noon', 'by the brook', 'on a hill', 'again', 'at home', 'in May']
const loops: [string, string][] = [
  ['one character', '!'.repeat(1_500)],
  ['line breaks', 'Well.\n'.padEnd(1_600, '\n')],
  ['blank lines with spaces', ' \n'.repeat(800)],
  ['a word', 'the '.repeat(1_500)],
  ['a sentence', `Let me explain. ${sentence.repeat(30)}`],
  ['a short question and answer', 'User: Hello\nAssistant: Hi there!\n'.repeat(150)],
  [
    'a paragraph',
    `${sentence}It was a bright cold day in April, and the clocks were striking thirteen.\n\n${'Then he went home to think about the weather. '.repeat(4)}\n\n`.repeat(
      8,
    ),
  ],
  [
    'a page',
    `${lines(35, n => `The ${who[n % 5]} has seen the ${who[(n % 7) % 5]} ${where[n % 7]}.`)}\n\n`.repeat(8),
  ],
  ['a list that never ends', lines(200, n => `${n + 1}. The system should handle every error well.`)],
  ['bold points', '- **Security**: Make sure that all of the data is kept safe.\n'.repeat(40)],
  ['a line of code', 'if (x === 1) {\n  return true\n}\n'.repeat(300)],
  [
    'the same call',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>\n'.repeat(90),
  ],
  ['a word without spaces', '好的，'.repeat(2_000)],
  ['a symbol of two units', '😀'.repeat(3_000)],
  ['a cell of a table', '| --- '.repeat(1_200)],
]

test.for(loops)('%s, over and over, is repetition', ([, text]) => {
  expect(circles(`Of course! Here it is:\n\n${text}`)).toBe(true)
  expect(text.startsWith(withoutRepeats(text).slice(0, 1))).toBe(true)
  expect(withoutRepeats(text).length).toBeLessThan(text.length / 3)
})

test('inside a call far more repetition is accepted, because files may repeat', () => {
  const board = lines(400, () => '    <div class="square"></div>')
  const zeros = lines(300, () => '0,'.repeat(20))
  expect([board, zeros].map(text => circles(text, { inCall: true }))).toEqual([false, false])
  expect(circles('0,'.repeat(20_000), { inCall: true })).toBe(true)
})

test('random text is never repetition', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 4_000, maxLength: 20_000 }),
      text => !circles(text, { piece: 1_000, isWanted: true }),
    ),
    { numRuns: 30 },
  )
})

test('any block repeated often enough is repetition, whatever comes first', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 1_000 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
      (start, block) => {
        const times = Math.max(14, Math.ceil(6_000 / block.length))
        return circles(start + block.repeat(times), { piece: 100 })
      },
    ),
    { numRuns: 60 },
  )
})

test('detection does not depend on how the text is split', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 900, max: 4_000 }), (piece, count) => {
      const text = `${sentence}${'ab'.repeat(count)}`
      expect(circles(text, { piece })).toBe(circles(text, { piece: 1 }))
    }),
    { numRuns: 20 },
  )
})

test('the text is kept up to the end of the first repetition', () => {
  expect(withoutRepeats(`Hello. ${sentence.repeat(20)}I am so`)).toBe(`Hello. ${sentence}`)
  const list = (count: number) => lines(count, n => `${n + 8}. The system should handle every error well.`)
  expect(withoutRepeats(`Points:\n${list(200)}`)).toBe(
    'Points:\n8. The system should handle every error well.\n',
  )
  expect(withoutRepeats('Nothing of the kind.')).toBe('Nothing of the kind.')
})

test('the first repetition is also found in a text longer than one check covers', () => {
  expect(withoutRepeats(`Hello. ${sentence.repeat(400)}`)).toBe(`Hello. ${sentence}`)
})
