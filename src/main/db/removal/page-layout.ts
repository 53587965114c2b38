import { readSync } from 'node:fs'

/** Size of the header at the start of the file, in bytes. */
export const HEADER = 100

/** A page to clean and its kind: of a tree, free, a list of free pages, or part of a long value. */
export type Page =
  | { kind: 'tree' | 'free' | 'trunk'; page: number }
  | { kind: 'overflow'; page: number; bytes: number }

/** The layout of a file. `usable`: a page's bytes without those reserved at its end. */
export type Layout = { pageBytes: number; usable: number; pages: number }

/** Read the layout of a file. */
export function layoutOf(file: number): Layout {
  const head = Buffer.alloc(HEADER)
  readSync(file, head, 0, HEADER, 0)
  const size = head.readUInt16BE(16)
  const pageBytes = size === 1 ? 65_536 : size
  return { pageBytes, usable: pageBytes - head.readUInt8(20), pages: head.readUInt32BE(28) }
}

/** Return the first page of the free list, given the file's header. */
export function freeOf(head: Buffer): Page[] {
  const page = head.readUInt32BE(32)
  return page === 0 ? [] : [{ kind: 'trunk', page }]
}

/**
 * Overwrite the unused bytes of a page with zeros, in place. Returns whether that changed anything, and the
 * pages that it points to. Throws, and changes nothing, if the page is inconsistent.
 */
export function cleanPage(bytes: Buffer, page: Page, layout: Layout): { changed: boolean; pages: Page[] } {
  const wipe = createWipe(bytes)
  const pages = pagesOf(bytes, page, layout, wipe)
  for (const { page: number } of pages)
    if (number < 1 || number > layout.pages) throw new Error(`Page ${page.page} leads to page ${number}.`)
  return { changed: wipe.apply(), pages }
}

function pagesOf(bytes: Buffer, page: Page, { usable }: Layout, wipe: Wipe): Page[] {
  switch (page.kind) {
    case 'free':
      wipe.add(0, bytes.length)
      return []
    case 'trunk': {
      const count = bytes.readUInt32BE(4)
      if (8 + 4 * count > usable) throw new Error(`Page ${page.page} lists ${count} free pages.`)
      wipe.add(8 + 4 * count, bytes.length)
      const leaves = Array.from({ length: count }, (_, at): Page => {
        return { kind: 'free', page: bytes.readUInt32BE(8 + 4 * at) }
      })
      const next = bytes.readUInt32BE(0)
      return next === 0 ? leaves : [...leaves, { kind: 'trunk', page: next }]
    }
    case 'overflow': {
      const left = page.bytes - (usable - 4)
      if (left > 0) return [{ kind: 'overflow', page: bytes.readUInt32BE(0), bytes: left }]
      wipe.add(4 + page.bytes, usable)
      return []
    }
    case 'tree':
      return treePagesOf(bytes, page.page, usable, wipe)
  }
}

const INTERIOR_INDEX = 2
const INTERIOR_TABLE = 5
const LEAF_INDEX = 10
const LEAF_TABLE = 13

/** Wipe the unused parts of a tree page: between its cell list and the first cell, and the free blocks. */
function treePagesOf(bytes: Buffer, page: number, usable: number, wipe: Wipe): Page[] {
  const start = page === 1 ? HEADER : 0
  const type = bytes.readUInt8(start)
  if (![INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE].includes(type))
    throw new Error(`Page ${page} is of the unknown type ${type}.`)
  const isInterior = type === INTERIOR_INDEX || type === INTERIOR_TABLE
  const list = start + (isInterior ? 12 : 8)
  const count = bytes.readUInt16BE(start + 3)
  const content = bytes.readUInt16BE(start + 5) || 65_536
  if (list + 2 * count > content || content > usable) throw new Error(`Page ${page} does not hold together.`)
  wipe.add(list + 2 * count, content)
  for (let block = bytes.readUInt16BE(start + 1); block !== 0;) {
    const size = bytes.readUInt16BE(block + 2)
    if (block < content || block + size > usable) throw new Error(`Page ${page} has a block outside of it.`)
    wipe.add(block + 4, block + size)
    const next = bytes.readUInt16BE(block)
    if (next !== 0 && next <= block) throw new Error(`Page ${page} has blocks in a circle.`)
    block = next
  }
  const pages: Page[] = isInterior ? [{ kind: 'tree', page: bytes.readUInt32BE(start + 8) }] : []
  for (let at = 0; at < count; at++) {
    const cell = bytes.readUInt16BE(list + 2 * at)
    if (isInterior) pages.push({ kind: 'tree', page: bytes.readUInt32BE(cell) })
    if (type !== INTERIOR_TABLE) pages.push(...overflowOf(bytes, cell + (isInterior ? 4 : 0), type, usable))
  }
  return pages
}

/** Return where a cell continues if it is too long for its page. */
function overflowOf(bytes: Buffer, cell: number, type: number, usable: number): Page[] {
  const length = readVarint(bytes, cell)
  const most = type === LEAF_TABLE ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  if (length.value <= most) return []
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const wanted = least + ((length.value - least) % (usable - 4))
  const local = wanted <= most ? wanted : least
  const payload = type === LEAF_TABLE ? readVarint(bytes, length.end).end : length.end
  return [{ kind: 'overflow', page: bytes.readUInt32BE(payload + local), bytes: length.value - local }]
}

/** Read a number of one to nine bytes, seven bits each, highest first; the ninth byte has eight. */
function readVarint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(at + index)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, end: at + index + 1 }
  }
  return { value: value * 256 + bytes.readUInt8(at + 8), end: at + 9 }
}

type Wipe = ReturnType<typeof createWipe>

/** Collect the ranges to overwrite first, so that an inconsistent page stays unchanged. */
function createWipe(bytes: Buffer) {
  const ranges: [number, number][] = []
  return {
    add: (from: number, to: number) => void ranges.push([from, to]),
    apply(): boolean {
      let changed = false
      for (const [from, to] of ranges) {
        if (bytes.subarray(from, to).every(byte => byte === 0)) continue
        bytes.fill(0, from, to)
        changed = true
      }
      return changed
    },
  }
}
