import { z } from 'zod'
import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import { many } from '../../shared/text/amounts.ts'
import { Fault } from '../../shared/rpc.ts'
import type { AttachmentStore } from '../db/chats/attachment-tables.ts'
import { tellReading } from '../tools/tell/tell-files.ts'
import { uncutLength } from '../tools/registry/shorten-result.ts'
import { defineTool, type ToolContext, type ToolResult } from '../tools/registry/tool.ts'
import { attachedMark, frameAttached, plainName } from './document-text.ts'
import { cutPassages, findPassages, type Passage } from './find-passages.ts'
import type { Attachments } from './open-attachments.ts'

const input = z.object({
  name: z.string(),
  page: z.int().min(1).optional(),
  offset: z.int().min(0).optional().describe('in a long page: its first character to read'),
  query: z.string().optional(),
})
type Given = z.output<typeof input>
type Parts = { attachments: Pick<Attachments, 'pagesOf'>; store: Pick<AttachmentStore, 'ofPath'> }

/** The name of the tool. */
export const READ_ATTACHMENT = 'read_attachment'
/** Characters reserved for the words around the text of a result. */
const AROUND = 500
/** Maximum characters of a result if the context window is unknown. */
const MOST_TEXT = 16_000
/** Maximum number of passages per search for a model, because more would be noise. */
const MOST_SHOWN = 6
const MOST_FOUND = 20

/** The tool that reads more of the user's files: a page, or the passages that contain words of a query. */
export const readAttachmentTool = (parts: Parts) =>
  defineTool({
    name: READ_ATTACHMENT,
    says: 'Read more of a file that the user attached to a message: one page, or the parts that match a query.',
    input,
    toolset: 'files',
    risk: 'read',
    tell: ({ name }, result) => tellReading({ path: name }, result),
    async intent({ name, page, query }, { workspace: folder }) {
      const where = query ? `, search “${query.slice(0, 60).toWellFormed()}”` : page ? `, page ${page}` : ''
      const title = `Read the attached file ${plainName(name)}${where}`
      return { title, detail: name, risk: 'read', inWorkspace: true, folder }
    },
    run: (given, context) => run(parts, given, context),
  })

async function run({ attachments, store }: Parts, given: Given, context: ToolContext): Promise<ToolResult> {
  const all = store.ofPath(context.sessionId).filter(({ kind }) => kind !== 'picture')
  const attachment = namedIn(all, given.name)
  if (!attachment) return { ok: false, reason: noSuch(given.name, all) }
  const found = await pagesOf(attachments, context.sessionId, attachment)
  if ('reason' in found) return found
  const { pages } = found
  const most = Math.max(
    AROUND,
    (context.contextTokens === undefined
      ? MOST_TEXT
      : Math.min(MOST_TEXT, uncutLength(MOST_TEXT, context.contextTokens))) - AROUND,
  )
  const part = given.query ? matching(pages, given.query, most) : pageOf(pages, given, most)
  if (!part.ok) return { ok: false, reason: `${plainName(attachment.name)}: ${part.reason}` }
  const head = `${plainName(attachment.name)}, ${many(pages.length, 'page')}. ${part.said}`
  return {
    ok: true,
    text: `${head}\n${frameAttached(attachment, part.text)}`,
    marks: [attachedMark(attachment)],
  }
}

/** The newest file with a name, in any case, also if the model shortened it. */
function namedIn(all: readonly Attachment[], given: string): Attachment | undefined {
  const wanted = plainName(given).toLowerCase()
  const names = all.map(each => ({ each, name: plainName(each.name).toLowerCase() }))
  const same = names.find(({ name }) => name === wanted)
  if (same) return same.each
  const alike = names.filter(({ name }) => wanted !== '' && name.includes(wanted))
  if (alike.length > 0 && new Set(alike.map(({ name }) => name)).size === 1) return alike[0]!.each
  return all.length === 1 ? all[0] : undefined
}

const noSuch = (given: string, all: readonly Attachment[]): string =>
  all.length === 0
    ? 'No document is attached to this chat.'
    : `No attached file is called ${plainName(given)}. Attached are: ${[...new Set(all.map(({ name }) => plainName(name)))].slice(0, 20).join(', ')}.`

type Page = { n: number; text: string }

type Read = { pages: readonly Page[] } | { ok: false; reason: string }

async function pagesOf(
  attachments: Parts['attachments'],
  sessionId: string,
  { hash }: Attachment,
): Promise<Read> {
  try {
    return { pages: (await attachments.pagesOf(sessionId, hash)).read.pages }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, reason: error.message }
  }
}

type Part = { ok: true; said: string; text: string } | { ok: false; reason: string }

function pageOf(pages: readonly Page[], { page = 1, offset = 0 }: Given, most: number): Part {
  const at = pages.findIndex(({ n }) => n === page)
  const found = pages[at]
  if (!found)
    return { ok: false, reason: `It has ${many(pages.length, 'page')}, so there is no page ${page}.` }
  if (offset > 0 && offset >= found.text.length)
    return {
      ok: false,
      reason: `Page ${page} has ${many(found.text.length, 'character')}, so there is none at ${offset}.`,
    }
  const text = found.text.slice(offset, offset + most).replace(/[\uD800-\uDBFF]$/, '')
  const end = offset + text.length
  const rest =
    end < found.text.length
      ? `It goes on at offset ${end} of page ${page}.`
      : pages[at + 1]
        ? `Page ${pages[at + 1]!.n} follows.`
        : 'This is its end.'
  return {
    ok: true,
    said: `Page ${page}${offset > 0 ? ` from character ${offset}` : ''}. ${rest}`,
    text,
  }
}

function matching(pages: readonly Page[], query: string, most: number): Part {
  const found = findPassages(cutPassages(pages), query, MOST_FOUND)
  if (found.length === 0)
    return { ok: false, reason: 'No part of it holds these words. Try other words, or read its pages.' }
  const shown: Passage[] = []
  let left = most
  for (const passage of found) {
    if (shown.length === MOST_SHOWN || (passage.text.length > left && shown.length > 0)) break
    shown.push(passage)
    left -= passage.text.length
  }
  const text = shown
    .map(
      ({ page, from, text: piece }) => `[page ${page}${from > 0 ? `, offset ${from}` : ''}]\n${piece.trim()}`,
    )
    .join('\n\n')
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '')
  const rest = found.length - shown.length
  return {
    ok: true,
    said: `The parts that fit best${rest > 0 ? `; ${many(rest, 'further part holds', 'further parts hold')} such words too` : ''}.`,
    text,
  }
}
