import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { allPartPaths } from '../../src/main/models/files/model-paths.ts'
import { modelNameOf } from '../../src/main/models/download/target-names.ts'
import { newPiece, type DownloadEntry, saveDownloads } from '../../src/main/models/download/download-entry.ts'
import { toolsTemplate } from '../gguf/templates.ts'
import { writeGguf, type GgufEntry } from '../gguf/write-gguf.ts'
import type { Place } from './place.ts'
import type { SeededModelFile, SeededTransfer } from './protocol.ts'

/** Weights per row of the only tensor in the file. */
const ROW = 4_096
const VOCABULARY = Array.from({ length: 32_000 }, (_, n) => `t${n}`)
/** The number of `Q4_K_M` in a header. */
const Q4_K_M = 15

/** Write a model file with a realistic header; its weights are a hole in the file. */
export function seedModelFile(place: Pick<Place, 'home' | 'workspace'>, file: SeededModelFile): void {
  const { sizeBytes = 5e9, parameters = 8.2e9, architecture = 'qwen3', licence = 'apache-2.0', layers } = file
  const path = file.home === undefined ? join(place.workspace, file.workspace!) : join(place.home, file.home)
  mkdirSync(dirname(path), { recursive: true })
  const text = (key: string, value: string): GgufEntry => ({ key, type: 'string', value })
  const number = (key: string, value: number): GgufEntry => ({ key, type: 'u32', value })
  const about = [
    text('general.architecture', architecture),
    number('general.file_type', Q4_K_M),
    number(`${architecture}.context_length`, 40_960),
    ...(layers === undefined
      ? []
      : [
          number(`${architecture}.block_count`, layers),
          number(`${architecture}.embedding_length`, 4_096),
          number(`${architecture}.attention.head_count`, 32),
          number(`${architecture}.attention.head_count_kv`, 8),
          { key: 'tokenizer.ggml.tokens', type: 'strings' as const, value: VOCABULARY },
        ]),
    ...(licence === '' ? [] : [text('general.license', licence)]),
    ...(file.template === null ? [] : [text('tokenizer.chat_template', file.template ?? toolsTemplate)]),
  ]
  const parts = allPartPaths(path)
  for (const [index, part] of parts.entries()) {
    const split = [number('split.no', index), number('split.count', parts.length)]
    const rows = Math.floor(parameters / parts.length / ROW)
    // A model for chats needs weights for token embeddings.
    const name = index === 0 ? 'token_embd.weight' : `blk.${index}.weight`
    const weights = { name, dims: [ROW, rows], type: 'Q4_K', data: () => [] } as const
    writeGguf(part, [...(index === 0 ? about : []), ...(parts.length > 1 ? split : [])], [weights])
    truncateSync(part, Math.ceil(sizeBytes / parts.length))
  }
}

/** Store transfers from an earlier start, with the partial files of those that had started. */
export function seedTransfers({ home, served }: Place, list: readonly SeededTransfer[]): void {
  const folder = join(home, 'models')
  mkdirSync(folder, { recursive: true })
  saveDownloads(
    home,
    list.map((transfer): DownloadEntry => {
      const { doneBytes = 0, totalBytes = null, catalogueId = '', name = `${transfer.id}.gguf` } = transfer
      const from = transfer.from?.startsWith('/') ? served.filesUrl + transfer.from : (transfer.from ?? '')
      const file = basename(from || name)
      const part = `${file}.part`
      if (doneBytes > 0 && transfer.state !== 'done') {
        writeFileSync(join(folder, part), '')
        truncateSync(join(folder, part), doneBytes)
      }
      return {
        kind: 'download',
        state: 'paused',
        bytesPerSecond: null,
        secondsLeft: null,
        error: '',
        fix: '',
        verified: false,
        startedAt: Date.now(),
        endedAt: null,
        modelId: null,
        ...transfer,
        name: transfer.name ?? modelNameOf(file),
        from,
        doneBytes,
        totalBytes,
        catalogueId,
        again: false,
        pieces: [newPiece({ from, name: file, part, doneBytes, safeBytes: doneBytes, totalBytes })],
      }
    }),
  )
}
