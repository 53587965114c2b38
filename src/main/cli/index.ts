import { enableCompileCache } from 'node:module'

// Half the time of a short command is reading the program itself; from the second time on it lies there ready.
enableCompileCache()
await import('./program.ts')
