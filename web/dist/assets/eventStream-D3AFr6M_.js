function e(e){let t={id:``,event:`message`,data:``},n=[];for(let r of e.split(`
`)){let e=r.indexOf(`:`),i=e<0?r:r.slice(0,e),a=r.slice(e+1).replace(/^ /,``);i===`id`&&(t.id=a),i===`event`&&(t.event=a),i===`data`&&n.push(a)}return{...t,data:n.join(`
`)}}async function*t(t){let n=t.pipeThrough(new TextDecoderStream).getReader(),r=``;try{for(;;){let{done:t,value:i}=await n.read();if(t)return;r=(r+i).replace(/\r\n/g,`
`);let a=r.split(`

`);r=a.pop()??``;for(let t of a)yield e(t)}}finally{n.cancel().catch(()=>void 0)}}export{t};