import { PassThrough, Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MAX_MESSAGE_CHARS } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { readQuestion, withPiped } from './piped-text.ts'

const from = (...pieces: (string | Buffer)[]) => Readable.from(pieces.map(piece => Buffer.from(piece)))

/** Read text beside a question, with what was said about it. */
async function reading(input: Readable) {
  const said: string[] = []
  const say = (each: string) => void said.push(each)
  const { piped } = await readQuestion('Q', input, { isTerminal: false, say })
  return { text: piped, said: said.join('') }
}

function stopClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test.for([
  ['plain text', Buffer.from('Zürich\n'), 'Zürich\n'],
  ['text with a byte order mark', Buffer.from('\ufeffZürich\n'), 'Zürich\n'],
  ['UTF-16 with its mark', Buffer.from('\ufeffZürich\r\n', 'utf16le'), 'Zürich\r\n'],
  ['big-endian UTF-16 with its mark', Buffer.from('\ufeffZürich\n', 'utf16le').swap16(), 'Zürich\n'],
  ['UTF-16 without a mark', Buffer.from('The pump failed.\n', 'utf16le'), 'The pump failed.\n'],
  [
    'big-endian UTF-16 without a mark',
    Buffer.from('The pump failed.\n', 'utf16le').swap16(),
    'The pump failed.\n',
  ],
  ['nothing', Buffer.alloc(0), ''],
] as const)('%s in the pipe is read as text', async ([, bytes, text]) => {
  expect(await reading(from(bytes))).toEqual({ text, said: '' })
})

test('a character that arrives in two pieces stays whole', async () => {
  const bytes = Buffer.from('Zürich')
  expect(await reading(from(bytes.subarray(0, 2), bytes.subarray(2)))).toEqual({ text: 'Zürich', said: '' })
})

test.for([
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
  [
    'a table of numbers of two bytes',
    Buffer.from(Array.from({ length: 64 }, (_, at) => (at % 2 ? 0 : at % 7))),
  ],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
] as const)('%s in the pipe is refused in words', async ([, bytes]) => {
  await expect(reading(from(bytes))).rejects.toThrow(
    /^Standard input is not text \(\d+ bytes\)\. Write it to a file/,
  )
})

test('what is not valid UTF-8 is said', async () => {
  const { text, said } = await reading(from(Buffer.from('caf\xe9', 'latin1')))
  expect(text).toBe('café')
  expect(said).toBe('Standard input is not UTF-8. It was read as perhaps windows-1252.\n')
})

test('a pipe that stays open and empty is given up, which is said, and kept from holding the process', async () => {
  stopClock()
  const input = new PassThrough()
  const given = reading(input)
  await vi.advanceTimersByTimeAsync(3_000)
  const { text, said } = await given
  expect(text).toBe('')
  expect(said).toMatch(/^Nothing arrived through the pipe .* the question is asked without it/)
  expect(input.destroyed).toBe(true)
})

test('a pipe whose first text has come is read to its end, however slow the rest is', async () => {
  stopClock()
  const input = new PassThrough()
  const text = reading(input)
  input.write('one ')
  await vi.advanceTimersByTimeAsync(60_000)
  input.end('two')
  expect(await text).toEqual({ text: 'one two', said: '' })
})

test('input that cannot be read is said, and the question goes without it', async () => {
  const input = new Readable({
    read() {
      this.destroy(Object.assign(new Error('no'), { code: 'EISDIR' }))
    },
  })
  expect(await reading(input)).toEqual({
    text: '',
    said: 'Standard input cannot be read (EISDIR), so the question is asked without it.\n',
  })
})

test('a pipe without an end is refused once it holds more than a message may', async () => {
  const endless = new Readable({
    read() {
      setImmediate(() => this.push(Buffer.alloc(65_536, 'y\n')))
    },
  })
  await expect(reading(endless)).rejects.toThrow(
    /too long: more than 800\.0 kB; a message has at most 200,000/,
  )
})

test('the text of a pipe stands below the question, in a fence', () => {
  expect(withPiped('Summarise this.', '\n  The pump failed.\n\n')).toBe(
    'Summarise this.\n\nText from standard input, which is material for this message:\n```\n  The pump failed.\n```',
  )
})

test('line ends of Windows in a pipe are sent as line breaks', () => {
  expect(withPiped('Sum', 'one\r\ntwo\r\n')).toContain('\none\ntwo\n')
})

test('a fence inside the text cannot end the fence around it', () => {
  expect(withPiped('Q', '```\n````\nx')).toMatch(/:\n`{5}\n```\n````\nx\n`{5}$/)
})

test('a blank text is no text', () => {
  expect(withPiped('Q', ' \n\t\n')).toBe('Q')
})

test('a question and a text that are too long together are refused with what to do', () => {
  expect(() => withPiped('Q', 'x'.repeat(MAX_MESSAGE_CHARS))).toThrow(
    /too long: 200,000 characters; .* name that file in the question/,
  )
})

const options = { isTerminal: false, say: () => undefined }

test('a dash reads the question itself from standard input', async () => {
  expect(await readQuestion('-', from(' How many? \n'), options)).toEqual({
    question: 'How many?',
    piped: '',
  })
})

test('an empty pipe without a question is a mistake, and beside one it is nothing', async () => {
  await expect(readQuestion(undefined, from(''), options)).rejects.toThrow(Fault)
  await expect(readQuestion('-', from(' \n'), options)).rejects.toThrow('No question given')
  expect(await readQuestion('Q', from(''), options)).toEqual({ question: 'Q', piped: '' })
})

test('a terminal is never read beside a question', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  expect(await readQuestion('Q', input, options)).toEqual({ question: 'Q', piped: '' })
  expect(await readQuestion(undefined, input, { ...options, isTerminal: true })).toEqual({
    question: undefined,
    piped: '',
  })
})
