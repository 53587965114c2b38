import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
const files=globSync('src/{main,shared,renderer,preload}/**/*.{ts,tsx}').filter(f=>!/\.test\.tsx?$|\/test\//.test(f))
const mods=new Map()
const isText=t=>!t?false:t.type==='TSStringKeyword'||t.type==='TSUnionType'&&t.types.some(isText)
function walk(n,parent,f){ if(!n||typeof n.type!=='string')return; f(n,parent); for(const k in n){const v=n[k]; if(Array.isArray(v)) v.forEach(c=>c&&typeof c==='object'&&walk(c,n,f)); else if(v&&typeof v==='object'&&k!=='parent') walk(v,n,f)} }
for(const f of files){
  const s=readFileSync(f,'utf8'); const {program}=parseSync(f,s)
  const fns=new Map(), imports=new Map()
  for(let st of program.body){
    let ex=false
    if(st.type==='ImportDeclaration'){ for(const sp of st.specifiers) imports.set(sp.local.name,{from:st.source.value,name:sp.imported?.name??sp.type}); continue}
    if(st.type==='ExportNamedDeclaration'&&st.declaration){st=st.declaration;ex=true}
    const list= st.type==='FunctionDeclaration'?[[st.id.name,st]]: st.type==='VariableDeclaration'? st.declarations.filter(x=>x.init&&/Function/.test(x.init.type)).map(x=>[x.id.name,x.init]):[]
    for(const [name,fn] of list){
      const texts=[]
      fn.params.forEach((p,i)=>{ if(p.type==='AssignmentPattern'){ if(p.left.type==='Identifier'&&(isText(p.left.typeAnnotation?.typeAnnotation)||p.right.type==='Literal'&&typeof p.right.value==='string')) texts.push({i,name:p.left.name}); p=p.left}
        else if(p.type==='Identifier'&&isText(p.typeAnnotation?.typeAnnotation)) texts.push({i,name:p.name})
        if(p.type==='ObjectPattern'){const lit=p.typeAnnotation?.typeAnnotation; if(lit?.type==='TSTypeLiteral') for(const m of lit.members) if(m.type==='TSPropertySignature'&&isText(m.typeAnnotation?.typeAnnotation)) texts.push({i,key:m.key.name,name:m.key.name})}
      })
      fns.set(name,{fn,texts,ex,params:fn.params.map(p=>s.slice(p.start,p.end).replace(/\s+/g,' '))})
    }
  }
  mods.set(f,{fns,imports})
}
const memo=new Map()
function reads(f,name,i,key){
  const k=`${f}#${name}#${i}#${key??''}`; if(memo.has(k))return memo.get(k); memo.set(k,false)
  const m=mods.get(f)?.fns.get(name); if(!m) return false
  const t=m.texts.find(t=>t.i===i); if(!t) return false
  const v=t.name; let r=false
  walk(m.fn.body,m.fn,(n,p)=>{ if(r||n.type!=='Identifier'||n.name!==v) return
    if(p.type==='MemberExpression'&&p.object===n){ if(p.computed|| p.property.name!=='length') r='method '+(p.property.name??'[]') }
    else if(p.type==='ForOfStatement'&&p.right===n) r='for of'
    else if(p.type==='SpreadElement') r='spread'
    else if(p.type==='CallExpression'&&p.callee!==n){ const idx=p.arguments.indexOf(n)
      if(p.callee.type==='MemberExpression'){ if(['test','exec','parse','safeParse','segment','lexer','matchAll'].includes(p.callee.property.name)) r='.'+p.callee.property.name }
      else if(p.callee.type==='Identifier'){ const c=p.callee.name
        if(m && mods.get(f).fns.has(c)) { if(reads(f,c,idx)) r='via '+c }
        else { const im=mods.get(f).imports.get(c); if(im){ if(im.from.startsWith('.')){ const g=join(dirname(f),im.from); if(reads(g,im.name,idx)) r='via '+c } else if(!im.from.startsWith('node:')&&im.from!=='react'&&im.from!=='electron') r='lib '+im.from } }
      } }
  })
  memo.set(k,r); return r
}
const THINGS=/^(id|path|file|folder|dir|root|home|key|name|.*Id|.*Path|.*Folder|.*File|.*Name|.*Key|.*Root|cwd|platform|.*Home|from|to|kind|now|zone|host|version|label|title|model|program|server|tool|where|place|locale|language)$/
let n=0,all=0,byf={},names={}
for(const [f,{fns}] of mods) for(const [name,x] of fns){ if(!x.ex||!x.texts.length) continue; all++
  const hit=x.texts.map(t=>[t.name,reads(f,name,t.i)]).filter(a=>a[1])
  if(!hit.length) continue
  for(const [a] of hit) names[a]=(names[a]??0)+1
  const h2=hit.filter(a=>!THINGS.test(a[0])); if(!h2.length) continue
  n++; (byf[f]??=[]).push(`${name}(${x.params.join(', ').slice(0,110)})  <${h2.map(a=>a.join(': ')).join('; ')}>`)}
console.log(all,n,Object.keys(byf).length)
console.log(Object.entries(names).sort((a,b)=>b[1]-a[1]).map(a=>a.join(' ')).join(', '))
for(const f in byf){console.log(f); for(const x of byf[f]) console.log('   '+x)}
