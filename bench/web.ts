import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { readPage } from '../src/main/web/read/read-page.ts'
import { median, round, timed } from './measure.ts'

const ROUNDS = 3
const SIZES = { small: 400_000, large: 5_000_000 } as const

/**
 * The milliseconds to turn a page of 0.4 MB and one of 5 MB into Markdown, without the start of their thread.
 */
export async function benchWeb(): Promise<Record<string, number>> {
  const results: Record<string, number> = {}
  for (const [name, size] of Object.entries(SIZES)) {
    const bytes = Buffer.from(makePage(size))
    const samples: number[] = []
    for (let at = 0; at < ROUNDS; at++) samples.push(await timed(() => readOnce(bytes)))
    results[`web_${name}_ms`] = round(median(samples))
  }
  return results
}

async function readOnce(bytes: Buffer): Promise<void> {
  const page = {
    ok: true as const,
    address: 'https://site.example/long',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    bytes,
    cut: false,
  }
  const read = await readPage(page)
  if (isRefusal(read) || read.markdown.length < 100_000)
    throw new Error('The page that was measured was not read.')
}

/** A handbook with headings, paragraphs with links, code and tables, over and over. */
function makePage(size: number): string {
  const part = (n: number) =>
    `<section><h2>Part ${n}</h2><p>The <b>river</b> ${n} runs <a href="/x${n}">down</a> to the sea, and people walk along it. In the evening
they come home and say what they have seen, each of them in other words.</p><pre><code class="language-js">let a = ${n}\nlet b</code></pre>
<table><tr><th>Place</th><th>Metres</th></tr><tr><td>Mill ${n}</td><td>${n * 3}</td></tr></table></section>`
  const parts: string[] = []
  for (let n = 0, length = 0; length < size - 1_000; n++) length += parts[parts.push(part(n)) - 1]!.length
  return `<!doctype html><html><head><title>Handbook</title></head><body><nav><a href="/">Home</a></nav><main>${parts.join('')}</main></body></html>`
}
