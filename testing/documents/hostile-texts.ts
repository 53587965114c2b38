import type { HostileDocument } from './hostile.ts'
import { linePage, makePdf } from './make-pdf.ts'

/** A PDF made of these objects, with a correct object table. */
function pdfOf(objects: readonly string[], root = '1 0 R'): Buffer {
  let text = '%PDF-1.4\n'
  const places = objects.map((body, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${body}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const rows = `0000000000 65535 f \n${places.join('')}`
  const size = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${size}\n${rows}trailer\n<< /Size ${size} /Root ${root} >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const stream = (content: string, more = '') =>
  `<< ${more} /Length ${content.length} >>\nstream\n${content}\nendstream`
const DRAW = stream('BT /F1 12 Tf 72 700 Td (Hello) Tj ET')
const page = (more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${more} >> >>`

const replaced = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')

const MAIL =
  'From: a@example.com\r\nDate: Mon, 1 Jan 2024 10:00:00 +0100\r\nSubject: x\r\nMIME-Version: 1.0\r\n'
function nestedMail(depth: number): string {
  let mail = MAIL
  for (let at = 0; at < depth; at++)
    mail += `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`
  return `${mail}Content-Type: text/plain\r\n\r\ndeep\r\n`
}

/** Malicious or broken PDFs and text formats. */
export const hostileTexts: readonly HostileDocument[] = [
  // PDF.
  {
    name: 'a PDF of 10,000 pages',
    file: 'a.pdf',
    kind: 'pdf',
    problem: /^It has 10000 pages\. Only the first \d+ were read/,
    until: () => Date.now() + 300,
    make: () => makePdf(Array.from({ length: 10_000 }, () => linePage('x'))),
  },
  {
    name: 'a PDF that claims pages it does not have',
    file: 'a.pdf',
    kind: 'pdf',
    text: /Hello/,
    make: () => replaced(makePdf([linePage('Hello')]), '/Count 1 ', '/Count 99999999 '),
  },
  {
    name: 'a PDF that runs a script when it opens',
    file: 'a.pdf',
    kind: 'pdf',
    text: /^Hello$/,
    make: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AA << /O 1 0 R >> >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        page(),
        DRAW,
        FONT,
      ]),
  },
  {
    name: 'a PDF whose pages lead in a circle',
    file: 'a.pdf',
    kind: 'pdf',
    problem: /^Page 1 cannot be read: damaged\.$/,
    make: () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
  },
  {
    name: 'a PDF that draws itself',
    file: 'a.pdf',
    kind: 'pdf',
    text: /Hello/,
    make: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        page('/XObject << /X 6 0 R >>'),
        stream('/X Do BT /F1 12 Tf 72 700 Td (Hello) Tj ET'),
        FONT,
        stream(
          '/X Do',
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
        ),
      ]),
  },
  {
    name: 'a PDF whose table of places is wrong',
    file: 'a.pdf',
    kind: 'pdf',
    text: /^Hello$/,
    make: () => replaced(makePdf([linePage('Hello')]), ' 00000 n ', ' 00001 n '),
  },
  {
    name: 'a PDF that says its table is in another place',
    file: 'a.pdf',
    kind: 'pdf',
    text: /^Hello$/,
    make: () =>
      Buffer.from(
        makePdf([linePage('Hello')])
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\n99999999'),
        'latin1',
      ),
  },
  {
    name: 'a PDF whose objects refer to themselves',
    file: 'a.pdf',
    refused: /damaged/,
    make: () => pdfOf(['1 0 R', '2 0 R']),
  },
  { name: 'only the head of a PDF', file: 'a.pdf', refused: /damaged/, make: () => '%PDF-1.7\n' },
  // Texts and tables as text.
  {
    name: 'a table of one line of 10 MB',
    file: 'a.csv',
    kind: 'csv',
    most: 9_000_000,
    problem: /too much text/,
    make: () => 'word,'.repeat(2_000_000),
  },
  {
    name: 'a quote that is never closed',
    file: 'a.csv',
    kind: 'csv',
    most: 3_000_000,
    problem: /^A quote in it is never closed, so all that follows is one value\.$/,
    make: () => `a,b\n1,2\n3,"${'x,y\n'.repeat(250_000)}`,
  },
  {
    name: 'a table with formulas',
    file: 'a.csv',
    kind: 'csv',
    text: /=cmd/,
    make: () => `a,b\n=cmd|' /C calc'!A0,1\n`,
  },
  {
    name: 'a notebook with a result of 20 MB',
    file: 'a.ipynb',
    kind: 'ipynb',
    most: 9_000_000,
    problem: /too much text/,
    make: () =>
      JSON.stringify({
        nbformat: 4,
        cells: [
          {
            cell_type: 'code',
            source: '',
            outputs: [{ output_type: 'stream', text: 'x'.repeat(20_000_000) }],
          },
        ],
      }),
  },
  {
    name: 'a notebook that is 100,000 lists deep',
    file: 'a.ipynb',
    refused: /damaged|cannot be read/,
    make: () => `{"nbformat":4,"cells":${'['.repeat(100_000)}`,
  },
  {
    name: 'a picture of lines with a script is text',
    file: 'a.svg',
    kind: 'text',
    text: /^<svg/,
    make: () => '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  },
  {
    name: 'a page with scripts and handlers',
    file: 'a.html',
    kind: 'html',
    text: /^\[picture: A\]Hello$/,
    make: () =>
      `<html><body onload="x()"><img src=x onerror="x()" alt="A"><script>document.write('no')</script>Hello<iframe srcdoc="<p>no"></iframe>`,
  },
  {
    name: 'a page whose comment and CDATA never end',
    file: 'a.html',
    kind: 'html',
    text: /^Hello$/,
    make: () => `<html><p>Hello</p><!-- ${'<p>'.repeat(50_000)}`,
  },
  {
    name: 'a page that is 200,000 elements deep',
    file: 'a.html',
    kind: 'html',
    text: /deep/,
    make: () => `<html>${'<div><b>'.repeat(100_000)}deep`,
  },
  // Mails and RTF.
  {
    name: 'a mail of 1,000 parts in each other',
    file: 'a.eml',
    refused: /damaged e-mail/,
    make: () => nestedMail(1_000),
  },
  {
    name: 'a mail with a head of 3 MB',
    file: 'a.eml',
    refused: /damaged e-mail/,
    make: () => `${MAIL}X: ${'a'.repeat(3_000_000)}\r\n\r\nHello`,
  },
  {
    name: 'a mail whose parts never end',
    file: 'a.eml',
    kind: 'eml',
    text: /Hello/,
    make: () => `${MAIL}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nHello\r\n`,
  },
  {
    name: 'a mail with the name of a file elsewhere',
    file: 'a.eml',
    kind: 'eml',
    text: /- \S*passwd \(/,
    problem: /named, not read/,
    make: () =>
      `${MAIL}Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="../../etc/passwd"\r\n\r\nx`,
  },
  {
    name: 'groups in RTF that are 200,000 deep',
    file: 'a.rtf',
    kind: 'rtf',
    text: /deep/,
    make: () => String.raw`{\rtf1 ${'{'.repeat(200_000)}deep`,
  },
  {
    name: 'RTF that skips more than there is',
    file: 'a.rtf',
    kind: 'rtf',
    text: /^Hello/,
    make: () =>
      String.raw`{\rtf1 Hello\par\uc999999999\u-99999 \bin999999999 x\f999999999 ${'}'.repeat(1_000)}`,
  },
]
