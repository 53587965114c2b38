import { connect } from 'node:net'

// A program that floods the server: `node api-flood.ts PORT KEY CONNECTIONS` keeps so many connections busy
// until it is ended.
const [, , port, key, connections] = process.argv

const body = JSON.stringify({ model: 'nobody', messages: [{ role: 'user', content: 'x'.repeat(1_000_000) }] })
const request = [
  'POST /v1/chat/completions HTTP/1.1',
  `Host: 127.0.0.1:${port}`,
  `Authorization: Bearer ${key}`,
  `Content-Length: ${body.length}`,
  'Connection: close',
  '',
  body,
].join('\r\n')

function flood() {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request))
  socket.on('error', () => {})
  socket.on('close', flood)
  socket.resume()
}
for (let n = 0; n < Number(connections); n++) flood()
