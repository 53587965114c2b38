import type { Address } from 'postal-mime'
import { DocumentTrouble, type Reader } from './document.ts'
import { formatBytes } from '../../shared/text/amounts.ts'
import { pageText } from './web/html.ts'

/** Read an e-mail: sender, recipients, date, text, and names of attachments. */
export const readMail: Reader = async ({ bytes }) => {
  const { default: PostalMime } = await import('postal-mime')
  let mail
  try {
    mail = await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 2_000_000 })
  } catch (error) {
    if (error instanceof Error)
      throw new DocumentTrouble(`is a damaged e-mail (${error.message.slice(0, 100)})`)
    throw error
  }
  const heads: [string, string][] = [
    ['From', mail.from ? people([mail.from]) : ''],
    ['To', people(mail.to ?? [])],
    ['Cc', people(mail.cc ?? [])],
    ['Date', mail.date ?? ''],
    ['Subject', mail.subject ?? ''],
  ]
  const html = mail.html === undefined ? undefined : pageText(mail.html)
  const text = mail.text?.trim() ? mail.text.trim() : (html?.text ?? '')
  const attached = mail.attachments.map(({ filename, mimeType, content }) => {
    const size = typeof content === 'string' ? content.length : content.byteLength
    return `- ${filename ?? 'without a name'} (${mimeType}, ${formatBytes(size)})`
  })
  return {
    pages: [
      [
        ...heads.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`),
        '',
        text,
        ...(attached.length > 0 ? ['', 'Attached:', ...attached] : []),
      ].join('\n'),
    ],
    problems: attached.length > 0 ? ['What is attached to it is named, not read.'] : [],
  }
}

const people = (addresses: readonly Address[]): string =>
  addresses
    .map(({ name, address, group }) =>
      group ? `${name ?? ''}: ${people(group)}` : name ? `${name} <${address ?? ''}>` : (address ?? ''),
    )
    .join(', ')
