import { expect, test } from 'vitest'
import { refusalInChat as check, WINDOWS } from '../../../../testing/agent/refusal-in-chat.ts'
import { floorPathRefusal } from './refuse-command.ts'

test.for([
  // Deleting everything, the system, or a home folder.
  'rm -rf /',
  'rm -fr -- /*',
  'rm -r -f /',
  'rm --recursive --force /',
  'rm --rec /',
  'RM -RF /',
  '/bin/rm -rf /',
  '\\rm -rf /',
  "r'm' -r\"f\" '/'",
  'r\\m -rf /',
  "$'\\x72\\x6d' -rf /",
  'rm -rf //',
  'rm -rf /./',
  'rm -rf /usr/..',
  'rm -rf /tmp/../../',
  'rm -rf --no-preserve-root /',
  'rm -rf /{bin,etc,usr}',
  '{rm,-rf,/}',
  'rm${IFS}-rf${IFS}/',
  'rm -rf ${PATH:0:1}',
  'rm -rf /etc',
  'rm -rf /usr/*',
  'rm -rf /u??',
  'rm -rf /[a-z]*',
  'rm -rf ~',
  'rm -rf ~/',
  'rm -rf ~/*',
  'rm -rf ~/.* ~/*',
  'rm -rf $HOME',
  'rm -rf "${HOME}"',
  'rm -rf "$HOME"/*',
  'rm -rf ~ada',
  'rm -rf /home/*',
  'rm -rf ../../ada',
  'rm *; cd ~ && rm -rf *',
  'cd / && rm -rf ./*',
  '(cd /; rm -rf .)',
  'pushd / ; rm -rf *',
  'rm -rf "$UNSET"/*',
  'rm -rf $(some-command)/',
  'sudo rm -rf /',
  'sudo -u root -E env LC_ALL=C nice -n 5 rm -rf /',
  'nohup timeout -k 5 10s rm -rf / &',
  'command rm -rf /',
  'exec rm -rf /',
  'busybox rm -rf /',
  'ls; rm -rf /',
  'true && rm -rf / || false',
  'echo hi | rm -rf /',
  'if true; then rm -rf /; fi',
  'for d in /etc /usr; do rm -rf "$d"; done',
  'while true; do rm -rf /; done',
  'case x in x) rm -rf /;; esac',
  'f() { rm -rf /; }; f',
  '{ rm -rf /; }',
  'echo "$(rm -rf /)"',
  'echo `rm -rf /`',
  'cat <<EOF\n$(rm -rf /)\nEOF',
  'cat <(rm -rf /)',
  'X=/; rm -rf $X',
  'X=rm; Y="-rf /"; $X $Y',
  'A="rm -rf"; A+=" /"; $A',
  'rm -rf ${X:-/}',
  '$(echo rm) -rf /',
  '`printf "\\162\\155"` -rf /',
  '$NOTHING rm -rf /',
  'bash -c "rm -rf /"',
  "bash -lc 'rm -rf ~'",
  'sh -c \'sh -c "rm -rf /"\'',
  "bash -c 'rm -rf $1' _ /",
  'eval "rm -rf /"',
  'eval rm -rf /',
  "env -S 'rm -rf /'",
  "su root -c 'rm -rf /'",
  'watch -n 1 rm -rf /',
  "trap 'rm -rf /' EXIT",
  'bash <<EOF\nrm -rf /\nEOF',
  'bash <<< "rm -rf /"',
  'while read d; do rm -rf "$d"; done <<< /',
  'while IFS= read -r d\ndo rm -rf "$d"; done <<EOF\nnotes\n/\nEOF',
  'while read -r a b; do while read c; do rm -rf $b; done <<< x; done <<< "1 /"',
  'until ! read d; do rm -rf $d; done <<< "a\n/"',
  'echo "rm -rf /" | bash',
  'echo cm0gLXJmIC8= | base64 -d | sh',
  'echo 726d202d7266202f | xxd -r -p | sh',
  'echo "/ fr- mr" | rev | sh',
  'echo / | xargs rm -rf',
  'echo / | xargs -I{} sh -c "rm -rf {}"',
  'find / -delete',
  'find / -type f -delete',
  'find ~ -exec rm -rf {} +',
  'find / -print0 | xargs -0 rm -f',
  "find / -name '*' -delete",
  'mv / /tmp/x',
  'mv ~ /dev/null',
  'rsync -a --delete empty/ /',
  'python3 -c \'import shutil; shutil.rmtree("/")\'',
  'python -c \'import os; os.system("rm -rf /")\'',
  "node -e \"require('fs').rmSync('/', {recursive: true})\"",
  'perl -e \'system("rm -rf ~")\'',
  '/bin/r? -rf /',
  'rm -rf / ; if [',
  // Disks.
  'dd if=/dev/zero of=/dev/sda',
  'dd if=x of=/dev/nvme0n1 bs=1M',
  'sudo dd of=/dev/disk2 < image.iso',
  'mkfs.ext4 /dev/sda1',
  'mkfs -t ext4 /dev/vda',
  'wipefs -a /dev/sda',
  'shred -n 1 /dev/sda',
  'cat image > /dev/sda',
  '> /dev/sda',
  'echo x | tee /dev/sdb',
  'cp image.iso /dev/sdb',
  'cd /dev && cat x > sda',
  'sgdisk --zap-all /dev/sda',
  'parted /dev/sda mklabel gpt',
  'cryptsetup luksFormat /dev/sda2',
  'cat /dev/urandom > /dev/sd?',
  // Processes and power.
  ':(){ :|:& };:',
  ': () { : | : & } ; :',
  'bomb() { bomb | bomb & }; bomb',
  'function f { f & f & }; f',
  "perl -e 'fork while fork'",
  "python3 -c 'import os\nwhile 1: os.fork()'",
  'shutdown -h now',
  'sudo reboot',
  '/sbin/poweroff',
  'init 0',
  'telinit 6',
  'systemctl poweroff',
  'systemctl start reboot.target',
  'systemctl hibernate',
  'systemctl hybrid-sleep',
  "PROMPT_COMMAND='rm -rf /'",
  "export PROMPT_COMMAND='rm -rf ~'",
  "PROMPT_COMMAND='rm -rf /' bash -i",
  "printf 'all:\\n\\t@rm -rf /\\n' | make -f -",
  'make -sf - <<EOF\nall:\n\trm -rf /\nEOF',
  'make --file=/dev/stdin all <<EOF\nall: ; rm -rf ~\nEOF',
  "ex -sc '!rm -rf /' -c q",
  "vim '+!rm -rf /'",
  'echo b > /proc/sysrq-trigger',
  'kill -9 -1',
  'kill -KILL -- -1',
  'kill -s TERM -1',
  // Permissions and files that the system needs.
  'chmod -R 777 /',
  'sudo chown -R ada /usr',
  'chmod --recursive 000 /etc',
  'echo x >> /etc/passwd',
  'echo "ada ALL=(ALL) NOPASSWD: ALL" | sudo tee /etc/sudoers.d/ada',
  'cp passwd /etc/',
  'sed -i s/x/y/ /etc/shadow',
  'rm /boot/vmlinuz',
  'curl -o /etc/passwd https://example.org',
])('never runs: %s', command => {
  expect(check(command)).toMatch(/^It (would|is) .+\.$/)
})

test.for([
  'rm -rf ./build',
  'rm -rf node_modules dist',
  'rm -rf build/*',
  'rm -rf *.log',
  'rm -rf .',
  'rm -rf *',
  'rm -rf /tmp/build',
  'rm -rf /home/ada/notes/old',
  'rm -rf ~/notes/old',
  'rm -rf "$HOME/.cache/talaria"',
  'rm -rf ~/Downloads/*.tmp',
  'rm -rf /usr/local/share/mytool',
  'rm -rf "$TMP_DIR"',
  'rm -rf "${BUILD:?}"/*',
  'rm -rf $DIR/build',
  'rm -rf "$(mktemp -d)"',
  'rm -rf "$PWD/build"',
  'rm -f /var/log/myapp.log',
  'rm -- -rf',
  'rm "/*"',
  'echo "rm -rf /"',
  "echo 'rm -rf / is dangerous' >> notes.md",
  'echo rm -rf /',
  'printf "%s\\n" "rm -rf /"',
  '# rm -rf /',
  'ls # rm -rf /',
  'grep -rn "rm -rf /" docs',
  "git commit -m 'Never run rm -rf /'",
  'git log -- shutdown.md',
  'grep -r "mkfs" docs',
  'cat <<EOF > note.md\nrm -rf /\nEOF',
  "cat <<'EOF'\n$(rm -rf /)\nEOF",
  'X="rm -rf /"; echo "$X"',
  'man rm',
  'which shutdown reboot',
  'man shutdown',
  'npm run shutdown',
  './shutdown.sh',
  './reboot',
  'systemctl status reboot.target',
  'systemctl restart nginx',
  'systemctl status hibernate.target',
  "PROMPT_COMMAND='history -a'",
  "PROMPT_COMMAND='PROMPT_COMMAND=$PROMPT_COMMAND'",
  'make -f Makefile clean',
  "printf 'all:\\n\\t@rm -rf build\\n' | make -f -",
  "ex -sc '%s/a/b/ | wq' notes.md",
  'shutdown -c',
  'git init',
  'npm init -y',
  'init-project 0',
  'find . -delete',
  "find / -name '*.pyc' -delete",
  "find ~ -name '.DS_Store' -delete",
  'find / -type f',
  'find . -exec grep -l rm {} +',
  "find . -name '*.o' | xargs rm -f",
  'dd if=/dev/zero of=disk.img bs=1M count=10',
  'dd if=/dev/sda of=backup.img',
  'mkfs.ext4 disk.img',
  'cat notes > /dev/null',
  'ls > /dev/stderr 2>&1',
  'fdisk -l /dev/sda',
  'lsblk /dev/sda',
  'wipefs /dev/sda',
  'shred -u secrets.txt',
  'kill -9 1234',
  'kill -1 1234',
  'kill %1',
  'pkill node',
  'chmod -R u+w .',
  'chmod 644 /etc',
  'chown -R ada ./site',
  'cat /etc/passwd',
  'cp /etc/passwd .',
  'grep root /etc/passwd > users.txt',
  'ls /boot',
  'f() { echo hi; }; f',
  'walk() { for x in "$1"/*; do walk "$x"; done; }; walk .',
  'server & wait',
  'mv old.md new.md',
  'mv ~/notes/a.md /tmp/',
  'rsync -a --delete src/ backup/',
  'python3 -c \'print("rm -rf /")\'',
  'python3 -c \'import shutil; shutil.rmtree("build")\'',
  'node -e "console.log(1)"',
  "awk '{ print $1 }' /etc/passwd",
  'curl -o index.html https://example.org',
  'docker rm -f web',
  'git rm -r old',
  'npm rm left-pad',
  'test -d / && echo yes',
  '[ -r / ] && [ -f x ]',
  '[[ $x == reboot || -d / ]] && ls',
  'echo $((1 > 0)) shutdown',
  'alias halt="echo no"',
  'tar -C / -tf backup.tar',
  'du -sh /*',
  'ls -R /',
  '$GREP -r pattern /',
])('is no more than a question: %s', command => {
  expect(check(command, { folder: '/home/ada/notes/drafts' })).toBeUndefined()
})

test.for(['rm -rf .', 'rm -rf *', 'find . -delete'])('deletes all that a chat works in: %s', command => {
  expect(check(command)).toBe('It would delete the whole folder that this chat works in.')
})

test('a folder counts as the home folder when the command runs there', () => {
  expect(check('rm -rf *', { folder: '/home/ada', workspace: '/srv/site' })).toBe(
    'It would delete a whole home folder.',
  )
  expect(check('find . -delete', { folder: '/etc', workspace: '/srv/site' })).toBe(
    'It would delete a folder that the system needs.',
  )
})

test('the reason names the doubt when only an unknown part makes it dangerous', () => {
  expect(check('rm -rf "$BUILD"/*')).toBe(
    'It would delete everything on this computer, should the unknown part of the path be empty.',
  )
})

test.for([
  'Remove-Item -Recurse -Force C:\\',
  'rd /s /q C:\\',
  'rm -r -fo $env:USERPROFILE',
  'Get-Date; format D: /q',
  'shutdown /s /t 0',
  'Restart-Computer -Force',
])('never runs on Windows: %s', command => {
  expect(check(command, WINDOWS)).toMatch(/^It would .+\.$/)
})

test.for([
  'Remove-Item -Recurse .\\build',
  'rd /s /q C:\\Users\\ada\\notes\\old',
  'Get-ChildItem | Format-Table',
  'Write-Output "shutdown /s"',
])('is no more than a question on Windows: %s', command => {
  expect(check(command, WINDOWS)).toBeUndefined()
})

test('the files that a computer needs are closed to file tools too', () => {
  const closed = ['/etc/passwd', '/boot/grub/grub.cfg', '/dev/sda', '/']
  expect(closed.map(path => floorPathRefusal(path, '/home/ada') !== undefined)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(floorPathRefusal('/home/ada/etc/passwd', '/home/ada')).toBeUndefined()
})

test('what deletes a disk or stops the computer is refused in each of these spellings', () => {
  const refused = [
    ...['/', '//', '/.', '/..', '"/"', '${HOME}', '~', '/etc'].map(path => `rm -rf ${path}`),
    ...['ls; %', 'ls && %', '(%)', 'echo $(%)'].map(form => form.replace('%', 'rm -rf /')),
    'sudo -E shutdown',
    '(reboot)',
    '{ reboot; }',
    ':(){ :|:& };:',
    'kill -9 -1',
    'kill -1 -1',
    'mkfs /dev/sda',
    'dd if=/dev/zero of=/dev/sda',
  ]
  for (const mode of ['ask', 'reads', 'full', 'none'] as const)
    expect(refused.filter(command => check(command, {}, mode) === undefined)).toEqual([])
  // It names no process, so it ends none.
  expect(check('kill -1')).toBeUndefined()
})

test('sudo with a password from its input is refused in each spelling', () => {
  const refused = [
    'echo guess | sudo -S ls',
    'sudo -S ls <<< guess',
    'sudo -S -u root ls < file',
    'sudo -kS -v',
    'sudo --stdin true',
    'env A=1 sudo -nS true',
    'for p in a b; do echo "$p" | sudo -S true; done',
    `sh -c 'echo guess | sudo -S true'`,
  ]
  for (const command of refused) expect(check(command), command).toMatch(/^It would give sudo a password/)
  const fine = ['sudo -uS ls', 'sudo -u ada grep -S x', 'sudo ls -S', 'sort -S 1G a', 'man sudo -S']
  expect(fine.filter(command => check(command) !== undefined)).toEqual([])
})

test('a path, a quotation or a service that only looks so is no more than a question', () => {
  const fine = [
    ...['/tmp/foo', 'node_modules', '/...', '~/Downloads/old'].map(path => `rm -rf ${path}`),
    'echo reboot',
    'git commit -m "rm -rf / and reboot"',
    'echo "first\nreboot\n"',
    'cat <<EOF\nreboot\nEOF',
    'systemctl restart nginx',
    'kill -9 123',
  ]
  expect(fine.filter(command => check(command) !== undefined)).toEqual([])
})

test('a line break outside quotation marks begins a command', () => {
  expect(check('echo done\nreboot')).toBe('It would shut down or restart this computer.')
})
