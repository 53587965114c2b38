import { showUnseen } from '../../../shared/visible-text/show-unseen.ts'

type DrawnNode = { type: string; tagName?: string; value?: string; children?: DrawnNode[] }

/** Write out invisible characters in an answer. Code blocks do this themselves, more strictly. */
export function writeUnseen(): (tree: DrawnNode) => void {
  return writeIn
}

function writeIn(node: DrawnNode): void {
  if (node.tagName === 'code') return
  if (node.type === 'text' && node.value !== undefined) node.value = showUnseen(node.value, true)
  for (const child of node.children ?? []) writeIn(child)
}
