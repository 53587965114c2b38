import type { Reader } from './document.ts'

/** Text and code: one page, as it is. */
export const readPlainText: Reader = ({ text }) => ({
  pages: [text?.text ?? ''],
  problems:
    text && !text.exact && text.encoding === 'utf8' && !text.isUnsure
      ? ['Some of its bytes are not valid UTF-8; they are shown as \ufffd.']
      : [],
})
