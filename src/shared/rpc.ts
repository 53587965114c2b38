import { z } from 'zod'

export type Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  kind: 'call'
  input: I
  output: O
}
export type Stream<I extends z.ZodType = z.ZodType, T extends z.ZodType = z.ZodType> = {
  kind: 'stream'
  input: I
  item: T
}
/** The methods of a host, by name (`noun.verb`). */
export type Contract = Readonly<Record<string, Call | Stream>>

/** Declare a method with one result. */
export const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O): Call<I, O> => ({
  kind: 'call',
  input,
  output,
})
/** Declare a method with a stream of results. Leaving the loop stops the work in the host. */
export const stream = <I extends z.ZodType, T extends z.ZodType>(input: I, item: T): Stream<I, T> => ({
  kind: 'stream',
  input,
  item,
})

export type CallOptions = { signal?: AbortSignal }

/** The client of a host that implements `C`. */
export type Client<C extends Contract> = {
  [K in keyof C]: C[K] extends Call<infer I, infer O>
    ? (input: z.input<I>, options?: CallOptions) => Promise<z.output<O>>
    : C[K] extends Stream<infer I, infer T>
      ? (input: z.input<I>, options?: CallOptions) => AsyncGenerator<z.output<T>, void, void>
      : never
}
/** The handlers of a host that implements `C`. */
export type Handlers<C extends Contract> = {
  [K in keyof C]: C[K] extends Call<infer I, infer O>
    ? (input: z.output<I>, signal: AbortSignal) => z.input<O> | Promise<z.input<O>>
    : C[K] extends Stream<infer I, infer T>
      ? (input: z.output<I>, signal: AbortSignal) => AsyncIterable<z.input<T>>
      : never
}

export const FaultCode = z.enum([
  'bad_input',
  'busy',
  'conflict',
  'not_found',
  'not_ready',
  'cancelled',
  'disconnected',
  'internal',
])
export type FaultCode = z.infer<typeof FaultCode>

/**
 * The only error that crosses the wire. Anything else becomes `internal`, and its detail stays in the host's
 * log.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly data?: unknown
  constructor(code: FaultCode, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The host went away before it started the call, so nothing has happened and the call may be repeated. */
export const notBegun = () => new Fault('disconnected', 'The host went away.', { begun: false })

/** Whether a call failed before the host started it. */
export const isNotBegun = (error: unknown): boolean =>
  error instanceof Fault && z.object({ begun: z.literal(false) }).safeParse(error.data).success

export const ToHost = z.discriminatedUnion('t', [
  z.object({ t: z.literal('call'), id: z.int(), name: z.string(), input: z.unknown().optional() }),
  z.object({ t: z.literal('cancel'), id: z.int() }),
])
export type ToHost = z.infer<typeof ToHost>

export const ToClient = z.discriminatedUnion('t', [
  z.object({ t: z.literal('item'), id: z.int(), value: z.unknown().optional() }),
  z.object({ t: z.literal('end'), id: z.int(), value: z.unknown().optional() }),
  z.object({
    t: z.literal('fail'),
    id: z.int(),
    code: FaultCode,
    message: z.string(),
    data: z.unknown().optional(),
  }),
  // The first message on a pipe: without it, the host has not even seen the peer.
  z.object({ t: z.literal('hi') }),
  // The last message of a host that closes: it has not started the calls that it has not answered.
  z.object({ t: z.literal('bye') }),
])
export type ToClient = z.infer<typeof ToClient>

/**
 * An ordered, reliable, two-way pipe of messages that survive a structured clone: a message port, or a socket
 * in JSON.
 */
export interface Channel {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
  close(): void
}
