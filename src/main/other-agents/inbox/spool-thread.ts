import { workInThread } from '../../threads/inside-thread.ts'
import { readSpool, type SpoolBatch, type SpoolJob } from './read-spool.ts'

/** Size of a batch that the host stores in a few milliseconds. */
const SIZE = { events: 40, chars: 100_000 }

workInThread<SpoolBatch>((job: SpoolJob, { check }) => readSpool(job, SIZE, check))
