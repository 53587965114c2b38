import type { Manner } from '../test-kit.ts'

/** What it shows, the message, its gist, and how it was handed over. For the tests, and for the reader. */
export type Example = [shows: string, text: string, gist: unknown[], manner?: Manner]

export const open = (path: string) => ['open_file', { path }]
export const A = open('a.md')
export const clock = ['clock', {}]
export const JSON_A = '{"name": "open_file", "arguments": {"path": "a.md"}}'
export const JSON_CLOCK = '{"name": "clock", "arguments": {}}'
