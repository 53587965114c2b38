/** A pasted or dropped file or folder. Its path is known in the desktop app only. */
export type Given = { name: string; file: File; isFolder: boolean; path: string }

/** Format files for a message: each below its name, in its own block. */
export function quoteTexts(texts: readonly { name: string; text: string }[]): string {
  return texts
    .map(({ name, text }) => {
      const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
      const fence = '`'.repeat(longest + 1)
      return `${name}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}\n`
    })
    .join('\n')
}

/** The files and folders of a paste or a drop. Call it inside the event, because the browser clears the data afterwards. */
export function givenOf(data: DataTransfer, pathOf: ((file: File) => string) | undefined): Given[] {
  const items = Array.from(data.items).filter(item => item.kind === 'file')
  return items.flatMap(item => {
    const file = item.getAsFile()
    if (!file) return []
    const isFolder = item.webkitGetAsEntry()?.isDirectory === true
    return [{ name: file.name, file, isFolder, path: pathOf?.(file) ?? '' }]
  })
}

/**
 * The plain text of formatted text, with tabs between cells and list markers; empty if it has none, such as a
 * picture from a web page.
 */
export function wordsOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const each of body.querySelectorAll('script, style')) each.remove()
  for (const each of body.querySelectorAll('br, p, div, li, tr, h1, h2, h3, h4, h5, h6, pre, blockquote'))
    each.append('\n')
  for (const cell of body.querySelectorAll(':is(td, th):not(:last-child)')) cell.append('\t')
  for (const list of body.querySelectorAll('ol, ul')) {
    const from = list instanceof HTMLOListElement ? list.start : undefined
    for (const [at, item] of [...list.children].entries())
      if (item.tagName === 'LI') item.prepend(from === undefined ? '- ' : `${from + at}. `)
  }
  return body.textContent
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The content of a file; undefined if it cannot be read. */
export function readBase64(file: Blob): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const reader = new FileReader()
  reader.addEventListener('load', () => {
    const { result } = reader
    resolve(typeof result === 'string' ? (result.split(',', 2)[1] ?? '') : undefined)
  })
  reader.addEventListener('error', () => resolve(undefined))
  reader.readAsDataURL(file)
  return promise
}
