// Starts npm emulate's Slack on a free loopback port and prints where.  Ends with its stdin.
import { createServer } from 'node:net'
import { pathToFileURL } from 'node:url'

const [folder, redirect] = process.argv.slice(2)
const { createEmulator } = await import(pathToFileURL(`${folder}/emulate/dist/api.js`).href)

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})
const scopes = ['commands', 'chat:write', 'im:write', 'im:history', 'app_mentions:read',
  'channels:read', 'groups:read', 'users:read', 'files:write']
const seed = {
  slack: {
    team: { name: 'Vision Lab', domain: 'vision-lab' },
    users: [{ name: 'ada', real_name: 'Ada', email: 'ada@example.org' }],
    channels: [{ name: 'general', topic: 'General' }, { name: 'papers', topic: 'Papers' }],
    bots: [{ name: 'papers-bot' }],
    signing_secret: 'a secret that signs',
    oauth_apps: [{ client_id: '111.222', client_secret: 'client secret', app_id: 'A000000001',
      name: 'Papers', redirect_uris: [redirect], scopes, bot_name: 'papers-bot' }],
    tokens: [{ token: 'xoxb-test', user: 'papers-bot',
      scopes: [...scopes, 'channels:history', 'files:read', 'users:read.email'] }],
    strict_scopes: true,
  },
}
const emulator = await createEmulator({ service: 'slack', port, hostname: '127.0.0.1', seed })
console.log(JSON.stringify({ url: emulator.url }))
process.stdin.resume()
process.stdin.on('end', async () => { await emulator.close(); process.exit(0) })
