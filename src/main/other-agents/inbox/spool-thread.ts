import { workInThread } from '../../threads/inside-thread.ts'
import { readSpool, type SpoolBatch, type SpoolJob } from './read-spool.ts'

/** Storing so much takes the host a few milliseconds. */
const SIZE = { events: 40, chars: 100_000 }

workInThread<SpoolBatch>((job: SpoolJob, { check }) => readSpool(job, SIZE, check))
