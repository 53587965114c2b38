import { readFileSync, writeFileSync } from 'node:fs'
import type { Pieces } from './pieces.ts'

/** What tells the prompts and tools that a model was trained on from those of the product. */
export type Hashes = Pick<Pieces, 'promptHash' | 'toolsHash'>

/** Parts of the product that are not those that a model was trained on: empty when they are. */
export const changedSince = (manifest: Hashes, { promptHash, toolsHash }: Hashes): string[] => [
  ...(manifest.promptHash === promptHash ? [] : ['the prompts']),
  ...(manifest.toolsHash === toolsHash ? [] : ['the tools']),
]

/** Write into a manifest that its model was measured with the prompts and tools of now, and is good enough. */
export function acceptManifest(path: string, { promptHash, toolsHash }: Hashes): void {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Hashes
  writeFileSync(path, `${JSON.stringify({ ...manifest, promptHash, toolsHash }, null, 2)}\n`)
}
