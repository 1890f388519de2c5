import type { Plugin, Rollup } from 'vite';

const pageOf = /\/routes\/_user\/company\.\$organization\/(\w+)\.tsx\?tsr-split=component/;
const preload = /<link rel="modulepreload" crossorigin href="([^"]+)">/g;

/**
 * Makes the browser load what the first page needs as soon as it has the start page, and not one after the other: the font, and on a page of
 * a company its code and its records. The shared code is evaluated in parts, each as soon as it is loaded: as a dependency of the entry, it would
 * be evaluated in one long task, during which the page does not react.
 */
export const firstPaint: Plugin = {
  name: 'first-paint',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file): file is Rollup.OutputChunk => file.type === 'chunk');
      const font = Object.keys(bundle).find((name) => /inter-latin-opsz-normal.*\.woff2$/.test(name));
      if (!font) throw new Error('The build has no file of the font inter-latin-opsz-normal.');
      if (!html.match(preload)) throw new Error('The start page has no preloads of shared code.');
      const attrs = {
        rel: 'preload',
        as: 'font',
        type: 'font/woff2',
        href: `/${font}`,
        crossorigin: '',
        fetchpriority: 'low',
      };
      const tags = [
        { tag: 'link', injectTo: 'head-prepend' as const, attrs },
        { tag: 'script', injectTo: 'head' as const, children: scriptOf(chunks, html) },
      ];
      return { html: html.replace(preload, '<script type="module" async crossorigin src="$1"></script>'), tags };
    },
  },
};

/**
 * Returns the script that loads the code and the records of the page in the address. It also creates a format of figures, because the first one
 * takes 20 ms, in which the browser would wait for the code.
 */
function scriptOf(chunks: Rollup.OutputChunk[], html: string): string {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const withImports = (root: Rollup.OutputChunk): string[] => {
    const names = new Set<string>();
    const add = (name: string) => {
      if (names.has(name) || html.includes(name)) return;
      names.add(name);
      byName.get(name)?.imports.forEach(add);
    };
    add(root.fileName);
    return [...names];
  };
  const files: string[] = [];
  const indexes = (root: Rollup.OutputChunk) =>
    withImports(root).map((name) => (files.includes(name) ? files.indexOf(name) : files.push(name) - 1));
  const pages = chunks.flatMap((chunk) => {
    const page = pageOf.exec(chunk.facadeModuleId ?? '')?.[1];
    return page ? [[page, indexes(chunk)]] : [];
  });
  const names = files.map((name) => name.replace(/^assets\/(.*)\.js$/, '$1'));
  return `(()=>{
var m=/^\\/company\\/([\\w-]+)\\/(\\w+)/.exec(location.pathname),f=${JSON.stringify(names)},p=${JSON.stringify(Object.fromEntries(pages))};
function l(r,h,a){var e=document.createElement('link');e.rel=r;e.href=h;e.crossOrigin='';if(a)e.as=a;document.head.append(e)}
if(!m)return;
document.documentElement.classList.add('framed');
(p[m[2]]||[]).forEach(i=>l('modulepreload','/assets/'+f[i]+'.js'));
var o='/v1/organization/'+m[1];
['/v1/user/sign-in',o].concat(m[2]=='captable'&&!location.search?o+'/captable':[]).forEach(u=>l('preload',u,'fetch'));
setTimeout(()=>new Intl.NumberFormat);
})()`;
}
