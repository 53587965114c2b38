import type { Lie } from './lying-server.ts'

/** The answers of a download server, and the expected result. */
export type LyingCase = {
  what: string
  /** The answers, in order; later answers are honest. */
  lies: readonly Lie[]
  /** The last answer is given again and again. */
  forever?: true
  /**
   * How the download ends while the server lies: with the right file, or with this error and the data
   * received so far.
   */
  ends?: { error: RegExp; fix?: RegExp; kept: 'half' | 'all' | 'none' }
  path?: string
  name?: string
  /** Whether the right checksum is given. */
  checked?: true
  /** Whether the next request has to resume the download. */
  resumes?: true
}

const half: Lie = { status: '200 OK', head: ['Content-Length: {size}', 'ETag: "v1"'], bytes: 'half' }
const page: Lie = {
  status: '200 OK',
  head: ['Content-Type: text/html; charset=utf-8', 'Content-Length: 41'],
  text: '<html>Please log in to this network</html>',
}
const refusal = (status: string, head: string[] = []): Lie => ({
  status,
  head: [...head, 'Content-Length: 0'],
  bytes: 'none',
})
const part = (...head: string[]): Lie => ({ status: '206 Partial Content', head })

export const LYING_CASES: readonly LyingCase[] = [
  { what: 'Content-Length is too small', lies: [{ head: ['Content-Length: {half}'] }] },
  {
    what: 'Content-Length is too small each time, and ranges are ignored',
    lies: [{ status: '200 OK', head: ['Content-Length: {half}'], bytes: 'whole' }],
    forever: true,
    ends: { error: /says that the file ends before the whole model has arrived/, kept: 'half' },
  },
  { what: 'Content-Length is too large once', lies: [{ head: ['Content-Length: 999999999'] }] },
  {
    what: 'Content-Length is too large each time, and ranges are ignored',
    lies: [{ status: '200 OK', head: ['Content-Length: 99999999'], bytes: 'whole' }],
    forever: true,
  },
  { what: 'Content-Length is no number', lies: [{ head: ['Content-Length: many'] }] },
  {
    what: 'Content-Length stands twice with other numbers',
    lies: [{ head: ['Content-Length: 5', 'Content-Length: 7'] }],
  },
  { what: '206 without Content-Range', lies: [half, part('Content-Length: {rest}')] },
  { what: '206 for a range that nobody asked for', lies: [half, part('Content-Range: bytes 5-6/7')] },
  {
    what: '206 that begins earlier',
    lies: [half, { ...part('Content-Range: bytes {overlap}-{last}/{size}'), bytes: 'overlap' }],
  },
  { what: '206 that begins later', lies: [half, part('Content-Range: bytes 9999999-{last}/{size}')] },
  {
    what: '206 with the whole file in it',
    lies: [half, { ...part('Content-Range: bytes {from}-{last}/{size}'), bytes: 'whole' }],
  },
  { what: '206 with another total', lies: [half, part('Content-Range: bytes {from}-{last}/123')] },
  { what: '206 with an unknown total', lies: [half, part('Content-Range: bytes {from}-{last}/*')] },
  { what: '206 whose Content-Range is no range', lies: [half, part('Content-Range: the rest of it')] },
  { what: '206 with several parts', lies: [half, part('Content-Type: multipart/byteranges; boundary=x')] },
  { what: '206 to a request for the whole file', lies: [part('Content-Length: {size}')] },
  {
    what: '206 with other bytes, which only the checksum shows',
    lies: [half, { ...part('Content-Range: bytes {from}-{last}/{size}'), bytes: 'wrong rest' }],
    checked: true,
  },
  {
    what: 'an ETag that changes with each answer',
    lies: [half, part('Content-Range: bytes {from}-{last}/{size}', 'ETag: "{count}"')],
    forever: true,
  },
  {
    what: 'an ETag that changes, with the same content',
    lies: [half, { status: '200 OK', head: ['ETag: W/"other"', 'Content-Length: {size}'], bytes: 'whole' }],
  },
  {
    what: 'Last-Modified that changes',
    lies: [
      { ...half, head: ['Content-Length: {size}', 'Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT'] },
      part('Content-Range: bytes {from}-{last}/{size}', 'Last-Modified: Tue, 02 Jan 2024 00:00:00 GMT'),
    ],
  },
  {
    what: 'Accept-Ranges denies what works',
    lies: [{ ...half, head: ['Content-Length: {size}', 'Accept-Ranges: none'] }],
  },
  {
    what: 'Accept-Ranges promises what does not work',
    lies: [
      { ...half, head: ['Content-Length: {size}', 'Accept-Ranges: bytes'] },
      { status: '200 OK', head: ['Content-Length: {size}'], bytes: 'whole' },
    ],
  },
  { what: '200 to a range without a length', lies: [half, { status: '200 OK', head: [], bytes: 'whole' }] },
  {
    what: '200 to a range that breaks off before what is here',
    lies: [half, { status: '200 OK', head: ['Content-Length: {size}'], text: 'GGUF' }],
    resumes: true,
  },
  {
    what: 'another file that breaks off within its header',
    lies: [half, { status: '200 OK', head: ['ETag: "v2"', 'Content-Length: {size}'], bytes: 'other start' }],
    resumes: true,
  },
  { what: 'packed with gzip', lies: [{ head: ['Content-Encoding: gzip'], bytes: 'gzip' }] },
  {
    what: 'said to be packed and is not',
    lies: [{ head: ['Content-Encoding: gzip', 'Content-Length: {size}'] }],
  },
  {
    what: 'a range that is packed',
    lies: [
      half,
      { ...part('Content-Range: bytes {from}-{last}/{size}', 'Content-Encoding: gzip'), bytes: 'gzip' },
    ],
  },
  {
    what: '416 in the middle',
    lies: [half, refusal('416 Range Not Satisfiable', ['Content-Range: bytes */{size}'])],
  },
  { what: '416 without a size', lies: [half, refusal('416 Range Not Satisfiable')] },
  {
    what: '416 with a size that is too small',
    lies: [half, refusal('416 Range Not Satisfiable', ['Content-Range: bytes */10'])],
  },
  {
    what: 'chunks that end in mid-way',
    lies: [{ status: '200 OK', head: [], bytes: 'half', chunked: 'cut' }],
  },
  {
    what: 'chunks that end properly and too early',
    lies: [{ status: '200 OK', head: [], bytes: 'half', chunked: 'whole' }],
  },
  {
    what: 'a model that is called a web page',
    lies: [{ head: ['Content-Type: text/html', 'Content-Length: {size}'] }],
  },
  { what: 'a login page in mid-way', lies: [half, page], resumes: true },
  {
    what: 'a login page after a redirect',
    lies: [half, refusal('302 Found', ['Location: {origin}/login']), page],
    resumes: true,
  },
  {
    what: 'a login page that calls itself a file',
    lies: [half, { ...page, head: ['Content-Type: application/octet-stream'] }],
    resumes: true,
  },
  {
    what: 'a login page for good',
    lies: [half, page],
    forever: true,
    ends: { error: /sent a web page/, fix: /log in to the network/, kept: 'half' },
  },
  {
    what: 'a login page before anything has come',
    lies: [page],
    ends: { error: /sent a web page/, fix: /address of the download itself/, kept: 'none' },
  },
  { what: '511', lies: [half, refusal('511 Network Authentication Required')], resumes: true },
  {
    what: '511 for good',
    lies: [half, refusal('511 Network Authentication Required')],
    forever: true,
    ends: { error: /asks for a login first/, fix: /log in/, kept: 'half' },
  },
  { what: '401 in mid-way', lies: [half, refusal('401 Unauthorized')], resumes: true },
  { what: '403 in mid-way', lies: [half, refusal('403 Forbidden')], resumes: true },
  {
    what: 'a signed address that has run out',
    lies: [half, refusal('403 Forbidden')],
    forever: true,
    path: '/m.gguf?Expires=1&Signature=abc',
    ends: { error: /does not send the rest/, fix: /has expired.*new address of the same file/, kept: 'half' },
  },
  {
    what: '404 in mid-way',
    lies: [half, refusal('404 Not Found')],
    ends: { error: /no longer has a file at this address/, fix: /already downloaded is kept/, kept: 'half' },
  },
  { what: '304 in mid-way', lies: [half, refusal('304 Not Modified')], resumes: true },
  {
    what: '204 in mid-way',
    lies: [half, { status: '204 No Content', head: [], bytes: 'none' }],
    resumes: true,
  },
  { what: 'a redirect without an address', lies: [half, refusal('302 Found')], resumes: true },
  {
    what: 'a redirect into a circle',
    lies: [half, ...Array.from({ length: 6 }, () => refusal('302 Found', ['Location: {origin}/m.gguf']))],
    resumes: true,
  },
  {
    what: 'a redirect to a file of this computer',
    lies: [half, refusal('302 Found', ['Location: file:///etc/hostname'])],
    resumes: true,
  },
  {
    what: 'an empty 200',
    lies: [half, { status: '200 OK', head: ['Content-Length: 0'], bytes: 'none' }],
    resumes: true,
  },
  {
    what: 'an empty 206',
    lies: [
      half,
      { ...part('Content-Range: bytes {from}-{last}/{size}', 'Content-Length: 0'), bytes: 'none' },
    ],
    resumes: true,
  },
  {
    what: 'a 200 with an error in JSON',
    lies: [half, { status: '200 OK', head: ['Content-Type: application/json'], text: '{"error":"busy"}' }],
    resumes: true,
  },
  { what: 'a connection that is reset', lies: [{ ...half, end: 'reset' }] },
  {
    what: 'lines that are no headers',
    lies: [half, { status: '206 Partial Content', head: ['this is no header'] }],
    resumes: true,
  },
  { what: 'HTTP/1.0 without a length', lies: [{ status: '200 OK', head: [], version: '1.0' }] },
  {
    what: 'HTTP/1.0 without a length that ends in mid-way',
    lies: [{ status: '200 OK', head: [], version: '1.0', bytes: 'half' }],
  },
  {
    what: 'HTTP/1.0 without a length that always ends in mid-way',
    lies: [{ status: '200 OK', head: [], version: '1.0', bytes: 'half' }],
    forever: true,
    ends: { error: /ends before the whole model has arrived/, kept: 'half' },
  },
  {
    what: 'Retry-After in years',
    lies: [half, refusal('503 Busy', ['Retry-After: 999999999'])],
    ends: { error: /an internal problem \(error 503\)/, kept: 'half' },
  },
  {
    what: 'Retry-After of too many requests in years',
    lies: [half, refusal('429 Too Many', ['Retry-After: Fri, 31 Dec 2199 23:59:59 GMT'])],
    ends: { error: /asks to wait [\d,]+ days/, kept: 'half' },
  },
  {
    what: 'Retry-After that is no time',
    lies: [half, refusal('503 Busy', ['Retry-After: when the moon is full'])],
    resumes: true,
  },
  {
    what: 'a hub that announces too small a size',
    lies: [refusal('302 Found', ['Location: {origin}/m.gguf', 'X-Linked-Size: {half}'])],
  },
  {
    what: 'a hub that announces too large a size each time',
    lies: [
      refusal('302 Found', ['Location: {origin}/c.gguf', 'X-Linked-Size: 99999999']),
      { status: '200 OK', head: [], bytes: 'whole' },
    ],
  },
  {
    what: 'a name with folders in it',
    path: '/get',
    name: 'evil.gguf',
    lies: [
      { head: ['Content-Disposition: attachment; filename="../../../evil.gguf"', 'Content-Length: {size}'] },
    ],
  },
  {
    what: 'a coded name with folders in it',
    path: '/get',
    name: 'evil.gguf',
    lies: [
      {
        head: [
          "Content-Disposition: attachment; filename*=UTF-8''..%2F..%2Fevil.gguf",
          'Content-Length: {size}',
        ],
      },
    ],
  },
]
