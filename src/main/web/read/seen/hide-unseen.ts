import { type PageDocument, type PageElement } from '../dom.ts'
import { squeezeSpace } from '../markdown/element-kinds.ts'

/** What was taken out, as texts. */
export type Unseen = { hidden: string[] }

const SHORTEST = 3
const LONGEST = 2_000

/** Take out of a page what its attributes say that nobody sees. */
export async function hideUnseen(
  document: PageDocument,
  _options: { browser?: boolean; html?: string; address?: string; signal?: AbortSignal } = {},
): Promise<Unseen> {
  const hidden: string[] = []
  for (const element of document.body.querySelectorAll('[hidden], [aria-hidden="true"], [style]')) {
    if (!isHidden(element)) continue
    const text = squeezeSpace(element.textContent ?? '').trim()
    if (text.length >= SHORTEST) hidden.push(text.slice(0, LONGEST))
    element.remove()
  }
  return { hidden }
}

const isHidden = (element: PageElement) =>
  element.hasAttribute('hidden') ||
  (element.getAttribute('aria-hidden') === 'true' && element.querySelector('math') === null) ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(element.getAttribute('style') ?? '')
