import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConfinement, type Confiner } from '../../src/main/confinement/open-confinement.ts'

/**
 * Confines programs in a folder of `aFolderToConfine`. A socket of another program, which has to be hidden,
 * vanishes before the first program starts, as if the other program had ended.
 */
export function confineBesideVanishingSocket(base: string): Confiner['prepare'] {
  const socket = join(base, 'socket')
  writeFileSync(socket, '')
  const { prepare } = openConfinement({
    home: join(base, 'home'),
    // The home folder of another user is hidden entirely, including the socket.
    userHome: base,
    readable: () => [],
    // As in `/proc/net/unix`.
    system: { sockets: () => `0000: 00000002 00000000 00010000 0001 01 4711 ${socket}`, isWsl: false },
  })
  return async (...given) => {
    const start = await prepare(...given)
    if (existsSync(socket)) rmSync(socket)
    return start
  }
}
