import { open } from 'node:fs/promises'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { createPictureDescriber, type Describing } from '../../pictures/describe-picture.ts'
import { createPictureMaker, MOST_FILE_BYTES } from '../../pictures/prepare-picture.ts'
import type { Store } from '../../db/store.ts'
import type { SpawnEngine } from '../host-types.ts'

type Needs = {
  store: Pick<Store, 'attachments'>
  spawn: SpawnEngine
  network: { isLocked(this: void): boolean }
  models: {
    visionFor(this: void, modelId: string): Promise<Describing | Refusal | undefined>
    agreedServers: { has(place: string): boolean; add(place: string): void }
  }
}

/** Pictures for models: made small and anonymous, and described for those that do not see. */
export function picturesFeature({ store, spawn, models, network }: Needs) {
  const maker = createPictureMaker(spawn)
  const describer = createPictureDescriber({
    visionFor: models.visionFor,
    agreed: models.agreedServers,
    isLocked: network.isLocked,
    keep: store.attachments.describe,
  })
  return {
    /** What is kept of the picture in a file. */
    async keep(path: string) {
      const file = await open(path, 'r')
      try {
        const { size } = await file.stat()
        // A larger one is refused by its size alone.
        const bytes = Buffer.alloc(Math.min(size, MOST_FILE_BYTES + 1))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
        const made = await maker.prepare(bytes.subarray(0, bytesRead), new AbortController().signal)
        if (isRefusal(made)) return made
        const { remarks, ...picture } = made
        return { ...picture, problems: remarks }
      } finally {
        await file.close()
      }
    },
    prepare: maker.prepare,
    whyNot: describer.whyNot,
    describe: describer.describe,
  }
}
