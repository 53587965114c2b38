import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { contract } from '../shared/contract/index.ts'
import './app.css'
import { App } from './App.tsx'
import { openChannel } from './rpc/channels.ts'
import { HostProvider } from './rpc/host-context.tsx'
import { reconnecting } from './rpc/reconnecting.ts'

const link = reconnecting(contract, openChannel)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <HostProvider link={link}>
      <App />
    </HostProvider>
  </StrictMode>,
)
