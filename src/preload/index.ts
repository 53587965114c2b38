import { contextBridge, ipcRenderer } from 'electron'
import type { Desktop } from '../shared/desktop.ts'

// A MessagePort cannot cross the context bridge, so it is posted to the page, and the bridge only asks for it.
ipcRenderer.on('host-port', event => {
  window.postMessage('host-port', location.origin, [...event.ports])
})

const desktop: Desktop = { requestPort: () => ipcRenderer.send('host-port') }
contextBridge.exposeInMainWorld('desktop', desktop)
