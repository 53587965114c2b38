import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** One answer, written to the wire verbatim. `{}` is an honest answer. */
export type Lie = {
  status?: string
  /**
   * Header lines; by default those of an honest answer. `{size}` is the length of the file, `{from}` the
   * requested offset, `{half}` the middle, `{rest}` the number of bytes from `{from}`, `{last}` the last
   * byte, `{origin}` the server.
   */
  head?: readonly string[]
  /**
   * The part of the file to send; by default from the requested offset. A negative end counts from the last
   * byte.
   */
  bytes?:
    | 'rest'
    | 'whole'
    | 'half'
    | 'other half'
    | 'none'
    | 'wrong rest'
    | 'gzip'
    | 'overlap'
    | 'other start'
  text?: string
  chunked?: 'whole' | 'cut'
  version?: '1.0'
  end?: 'reset'
}

/** A server that answers with these lies in order, then honestly; with `forever` the last lie is repeated. */
export async function startLyingServer(
  { model, other }: { model: Buffer; other: Buffer },
  lies: readonly Lie[],
  forever: boolean,
) {
  const asked: { path: string; range: string | undefined }[] = []
  let isHonest = false
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', data => answer(socket, data.toString('latin1')))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const half = Math.floor(model.length / 2)

  function answer(socket: Socket, request: string) {
    const path = request.split(' ')[1] ?? ''
    const range = /^range: (.*)\r$/im.exec(request)?.[1]
    const lie = isHonest ? {} : (lies[asked.length] ?? (forever ? lies.at(-1)! : {}))
    asked.push({ path, range })
    const from = Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    const honest =
      from >= model.length
        ? {
            status: '416 Range Not Satisfiable',
            head: ['Content-Range: bytes */{size}'],
            bytes: 'none' as const,
          }
        : from > 0
          ? {
              status: '206 Partial Content',
              head: ['Content-Range: bytes {from}-{last}/{size}', 'Content-Length: {rest}', 'ETag: "v1"'],
            }
          : { status: '200 OK', head: ['Content-Length: {size}', 'ETag: "v1"', 'Accept-Ranges: bytes'] }
    const told: Lie = { ...honest, ...lie }
    const values: Record<string, string | number> = {
      size: model.length,
      from,
      half,
      overlap: from - 100,
      rest: model.length - from,
      last: model.length - 1,
      origin,
      count: asked.length,
    }
    const lines = (told.head ?? []).map(line =>
      line.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
    )
    const bodies: Record<NonNullable<Lie['bytes']>, () => Buffer> = {
      rest: () => model.subarray(from),
      whole: () => model,
      half: () => model.subarray(0, half),
      'other half': () => model.subarray(half),
      none: () => Buffer.alloc(0),
      'wrong rest': () => Buffer.alloc(model.length - from, 7),
      gzip: () => gzipSync(model.subarray(from)),
      overlap: () => model.subarray(from - 100),
      'other start': () => other.subarray(0, 5_000),
    }
    let body = told.text === undefined ? bodies[told.bytes ?? 'rest']() : Buffer.from(told.text)
    if (told.chunked) {
      lines.push('Transfer-Encoding: chunked')
      const framed = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]
      body = Buffer.concat(told.chunked === 'whole' ? [...framed, Buffer.from('0\r\n\r\n')] : framed)
    }
    const version = told.version ?? '1.1'
    socket.write(`HTTP/${version} ${told.status}\r\n${[...lines, 'Connection: close', '', ''].join('\r\n')}`)
    // Node’s fetch throws an uncatchable error if a connection ends while much data is still arriving, so the
    // last piece is small.
    const declared = Number(/^content-length: (\d+)$/im.exec(lines.join('\n'))?.[1] ?? -1)
    // A client that has received all announced bytes disconnects by itself.
    const isLeft = told.end === undefined && declared === body.length
    const end = () => (told.end === 'reset' ? socket.resetAndDestroy() : socket.end())
    socket.write(body.subarray(0, -100), () =>
      setTimeout(
        () => socket.write(body.subarray(-100), () => (isLeft ? undefined : setTimeout(end, 50))),
        isLeft ? 0 : 250,
      ),
    )
  }

  return {
    origin,
    asked,
    /** Answer honestly from now on. */
    repent: () => void (isHonest = true),
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}
