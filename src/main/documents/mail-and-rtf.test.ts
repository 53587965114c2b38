import { expect, test } from 'vitest'
import { readMade, textsOf } from '../../../testing/documents/read-made.ts'

const HEAD =
  'From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>\r\nTo: Ada <ada@example.com>, bob@example.com\r\nSubject: =?iso-8859-1?q?Gr=FC=DFe?=\r\nDate: Mon, 1 Jan 2024 10:00:00 +0100\r\nMIME-Version: 1.0\r\n'

test('an e-mail is its head, its text, and the names of what is attached', async () => {
  const mail = `${HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSch=F6ne Gr=FC=DFe\r\n--x\r\nContent-Type: application/pdf; name="bill.pdf"\r\nContent-Disposition: attachment; filename="bill.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--x--\r\n`
  expect(await readMade('a.eml', mail)).toMatchObject({
    kind: 'eml',
    pages: [
      {
        text: `From: Jürgen <j@example.com>
To: Ada <ada@example.com>, bob@example.com
Date: 2024-01-01T09:00:00.000Z
Subject: Grüße

Schöne Grüße

Attached:
- bill.pdf (application/pdf, 5 B)`,
      },
    ],
    problems: ['What is attached to it is named, not read.'],
  })
})

test('an e-mail that is only a page of the web is read as its text', async () => {
  const [text] = (await textsOf(
    'x',
    `${HEAD}Content-Type: text/html\r\n\r\n<p>Hello<br>there</p><script>no</script>`,
  )) as string[]
  expect(text).toMatch(/\n\nHello\nthere$/)
})

test('notes that look a little like an e-mail are text', async () => {
  expect(await readMade('a.txt', 'From: here\nTo: there\n\nA way.')).toMatchObject({ kind: 'text' })
})

test('a mail whose head is long is one, and so is what is named so and has little of a head', async () => {
  const long = `Received: from a by b\r\nX-Report: ${'a'.repeat(70)}\r\n${' b'.repeat(6_000)}\r\n${HEAD}\r\nHello`
  expect(await readMade('x', long)).toMatchObject({ kind: 'eml' })
  const short = 'From: ada@example.com\nMIME-Version: 1.0\n\nHello'
  expect(await readMade('a.eml', short)).toMatchObject({ kind: 'eml' })
  expect(await readMade('a.txt', short)).toMatchObject({ kind: 'text' })
})

test('an RTF document is its paragraphs and tables, in the encoding of each font', async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}{\*\generator Word;}{\info{\title no}}
\f0 Gr\'fc\'dfe \u8364? 5\par{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par{\deleted old }new\par
\trowd\cellx1\cellx2 \intbl A\cell B\cell\row \trowd\intbl 1\cell 2\cell\row\pard After\par}`
  expect(await textsOf('letter.rtf', rtf)).toEqual([
    'Grüße € 5\n\nПривет\n\n[deleted: old ]new\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nAfter',
  ])
})

test('rows of an RTF table are read when only the first is described, or when that stands behind the cells', async () => {
  const first = String.raw`{\rtf1 Before\par\trowd\cellx1\cellx2 \pard\intbl A\cell B\cell\row`
  const bare = String.raw`\pard\intbl {1\cell \cell }\pard\intbl {\row }`
  const behind = String.raw`\pard\intbl 3\cell 4\cell\pard\intbl {\trowd\cellx1\cellx2\row}\pard After\par}`
  expect(await textsOf('a.rtf', first + bare + behind)).toEqual([
    'Before\n\n| A | B |\n| --- | --- |\n| 1 |  |\n| 3 | 4 |\n\nAfter',
  ])
})

test('items of an RTF list have a dash or their number', async () => {
  const item = (sign: string, text: string) => String.raw`{\listtext\pard ${sign}\tab}\pard ${text}\par`
  const rtf = String.raw`{\rtf1 ${item(String.raw`\'b7`, 'one')}${item('o', 'two')}${item('3.', 'three')}\bullet\tab four\par}`
  expect(await textsOf('a.rtf', rtf)).toEqual(['- one\n\n- two\n\n3. three\n\n- four'])
})
