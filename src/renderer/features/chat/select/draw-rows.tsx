import type { ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { readCopied, type Copied } from '../../../ui/select/copied-text.ts'
import { escapeHtml } from '../../../ui/select/copied-html.ts'
import { Unfolded } from '../../../ui/text/fold-text.tsx'
import type { TranscriptRow } from '../transcript/transcript-rows.ts'

/**
 * Maximum number of characters to render for copying. Beyond that, rendering would block the window, so the
 * Markdown source is copied.
 */
const MOST_LETTERS = 300_000

type Drawer = ComponentType<{ text: string; live: boolean }>
let drawer: Drawer | undefined

/** Loads the renderer of answers, so that later copies need no wait. */
export async function loadDrawer(): Promise<void> {
  drawer ??= (await import('../../../markdown/Markdown.tsx').catch(() => undefined))?.default
}

/** The copied content of rows that are not mounted: their messages, as they would be rendered. */
export function copyUndrawn(items: readonly TranscriptRow[]): Map<string, Copied> {
  const letters = items.reduce((sum, item) => sum + (item.kind === 'answer' ? textOf(item).length : 0), 0)
  const draw = letters <= MOST_LETTERS ? drawer : undefined
  return new Map(items.map(item => [item.key, copiedOf(item, draw)]))
}

function copiedOf(item: TranscriptRow, Draw: Drawer | undefined): Copied {
  const text = textOf(item)
  if (item.kind !== 'answer' || !Draw || text === '')
    return { text, html: `<div>${escapeHtml(text).replaceAll('\n', '<br>')}</div>` }
  const place = document.createElement('div')
  const root = createRoot(place)
  flushSync(() =>
    root.render(
      <Unfolded value>
        <Draw text={text} live={false} />
      </Unfolded>,
    ),
  )
  const range = document.createRange()
  range.selectNodeContents(place)
  const copied = readCopied(range)
  root.unmount()
  return copied
}

function textOf(item: TranscriptRow): string {
  switch (item.kind) {
    case 'user':
    case 'read':
      return item.text
    case 'answer':
      return item.message?.text ?? ''
    case 'note':
      return item.note.text
    default:
      return ''
  }
}
