import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Attachment } from '../../../../shared/contract/chats/attachments.ts'
import { isRefusal, type Refusal } from '../../../lib/expected-errors.ts'
import { createPictureDescriber, type Describing } from '../../../pictures/describe-picture.ts'
import { createPictureMaker, MOST_FILE_BYTES } from '../../../pictures/prepare-picture.ts'
import type { openPictureSource } from '../../../pictures/picture-source.ts'
import type { Store } from '../../../db/store.ts'
import type { SpawnEngine } from '../../../models/interface/engine-child.ts'

type Needs = {
  store: Pick<Store, 'attachments'>
  spawn: SpawnEngine
  source: Pick<ReturnType<typeof openPictureSource>, 'hold'>
  network: { isLocked(this: void): boolean }
  models: {
    visionFor(this: void, modelId: string): Promise<Describing | Refusal | undefined>
    agreedServers: { has(place: string): boolean; add(place: string): void }
  }
}

/** Prepare pictures for models: shrink them, strip metadata, and describe them for models that cannot see. */
export function picturesFeature({ store, spawn, source, models, network }: Needs) {
  const maker = createPictureMaker(spawn)
  const describer = createPictureDescriber({
    visionFor: models.visionFor,
    agreed: models.agreedServers,
    isLocked: network.isLocked,
    keep: store.attachments.describe,
  })

  /** Prepare the picture in a file and store it. */
  async function keep(path: string) {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      // A larger file is refused by its size alone.
      const bytes = Buffer.alloc(Math.min(size, MOST_FILE_BYTES + 1))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
      const made = await maker.prepare(bytes.subarray(0, bytesRead), new AbortController().signal)
      if (isRefusal(made)) return made
      const { remarks, ...picture } = made
      return { ...picture, problems: remarks }
    } finally {
      await file.close()
    }
  }

  return {
    keep,
    /** Hold the picture in a file in memory only, until it is released. */
    async hold(path: string): Promise<(Disposable & { attachment: Attachment }) | Refusal> {
      const made = await keep(path)
      if (isRefusal(made)) return made
      const { bytes, width, height } = made
      const held = source.hold(bytes)
      const name = basename(path)
      const attachment: Attachment = {
        hash: held.hash,
        name,
        kind: 'picture',
        use: 'picture',
        bytes: bytes.byteLength,
        width,
        height,
      }
      return { attachment, [Symbol.dispose]: () => held[Symbol.dispose]() }
    },
    prepare: maker.prepare,
    whyNot: describer.whyNot,
    describe: describer.describe,
  }
}
