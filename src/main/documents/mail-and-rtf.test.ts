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

test('an RTF document is its paragraphs and tables, in the encoding of each font', async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}{\*\generator Word;}{\info{\title no}}
\f0 Gr\'fc\'dfe \u8364? 5\par{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par{\deleted old }new\par
\trowd\cellx1\cellx2 \intbl A\cell B\cell\row \trowd\intbl 1\cell 2\cell\row\pard After\par}`
  expect(await textsOf('letter.rtf', rtf)).toEqual([
    'Grüße € 5\n\nПривет\n\n[deleted: old ]new\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nAfter',
  ])
})
