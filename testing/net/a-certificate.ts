import { createSign, generateKeyPairSync } from 'node:crypto'

// Certificates for tests, written in DER by hand, because Node can read but not create them.

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const set = (...parts: readonly Buffer[]) => der(0x31, ...parts)
const integer = (bytes: readonly number[]) => der(0x02, Buffer.from(bytes))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const text = (value: string) => der(0x0c, Buffer.from(value))
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes)
const YES = der(0x01, Buffer.from([0xff]))

const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), der(0x05))
const nameOf = (name: string) => sequence(set(sequence(oid('550403'), text(name))))
const extension = (id: string, isCritical: boolean, value: Buffer) =>
  sequence(oid(id), ...(isCritical ? [YES] : []), der(0x04, value))

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`

/** A new certificate authority, and its certificate for this host. Both are valid for a hundred years. */
export function aCertificate(host: string): { authority: string; certificate: string; key: string } {
  const ca = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const issuer = nameOf('A company for tests')

  const sign = (subject: Buffer, serial: number, key: typeof own.publicKey, extensions: Buffer[]) => {
    const body = sequence(
      der(0xa0, integer([2])),
      integer([serial]),
      SHA256_WITH_RSA,
      issuer,
      sequence(time(2020), time(2120)),
      subject,
      key.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(...extensions)),
    )
    const signature = createSign('sha256').update(body).sign(ca.privateKey)
    return pem(sequence(body, SHA256_WITH_RSA, bits(signature)))
  }
  const mayIssue = extension('551d13', true, sequence(YES))
  const forHost = extension('551d11', false, sequence(der(0x82, Buffer.from(host))))
  return {
    authority: sign(issuer, 1, ca.publicKey, [mayIssue]),
    certificate: sign(nameOf(host), 2, own.publicKey, [forHost]),
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
