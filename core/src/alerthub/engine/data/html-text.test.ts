import { describe, expect, it } from 'vitest';
import { defaultRemovedElements, htmlToPlainText, limitNesting, removeElements } from './html-text.ts';

const dropped = new Set<string>(defaultRemovedElements);

describe('removeElements', () => {
  it.each<[string, string[], string]>([
    ['a<b>c</b>d', [], 'a<b>c</b>d'],
    ['a<b>c</b>d', ['b'], 'ad'],
    ['a<B x=1>c</b >d', ['b'], 'ad'],
    ['<div>1<div>2</div>3</div>4', ['div'], '4'],
    ['1<img src="a>b">2', ['img'], '12'],
    ['1<br/>2', ['br'], '12'],
    ['<script>if (a<b) x("</b>")</script>z', ['script'], 'z'],
    ['<script>"<b>"</script>z', ['b'], '<script>"<b>"</script>z'],
    ['<SCRIPT>x</ScRiPt>z', ['script'], 'z'],
    ['<head><title>x</title><body>y', ['head'], '<body>y'],
    ['1<!-- <b> -->2<b>3</b>', ['b'], '1<!-- <b> -->2'],
    ['a < b <3 >', ['b'], 'a < b <3 >'],
    ['x</b>y', ['b'], 'xy'],
    ['1<b>2', ['b'], '1'],
    ['1<b', ['b'], '1<b'],
    ['', ['b'], ''],
  ])('%s without %j', (html, names, expected) => {
    expect(removeElements(html, new Set(names))).toBe(expected);
  });
});

describe('limitNesting', () => {
  it.each<[string, number, string]>([
    ['<div><div><b>x</b></div>y</div>z', 1, '<div>xy</div>z'],
    ['<div><div><b>x</b></div>y</div>z', 2, '<div><div>x</div>y</div>z'],
    ['<p>a<p>b<p>c', 1, '<p>a<p>b<p>c'],
    ['<ul><li>1<li>2</ul>', 2, '<ul><li>1<li>2</ul>'],
    ['<div><img src="a"><br>x</div>', 1, '<div><img src="a"><br>x</div>'],
    ['<div><script>x</script>y</div>', 1, '<div>y</div>'],
    ['</b>x<i>y</i>', 1, 'x<i>y</i>'],
  ])('%s to %i', (html, max, expected) => {
    expect(limitNesting(html, max)).toBe(expected);
  });
});

describe('htmlText', { timeout: 30_000 }, () => {
  it.each([
    ['<p>Hello <b>you</b></p><p>Bye</p>', 'Hello you\n\nBye'],
    ['a<br>b<BR/>c', 'a\nb\nc'],
    ['<style>p{}</style><head><title>t</title></head><body>x</body>', 'x'],
    ['a &amp; b &lt;c&gt; &#65;&#x42; &nope; &amp;lt;', 'a & b <c> AB &nope; &lt;'],
    ['&#0;&#xD800;&#x110000;', '\ufffd\ufffd\ufffd'],
    ['&constructor;&toString;', '&constructor;&toString;'],
    ['  a \n\t b  ', 'a b'],
    ['<table><tr><td>1</td><td>2</td></tr></table>', '1 2'],
    ['<p title="a > b">x</p>', 'x'],
  ])('%s', (html, expected) => {
    expect(htmlToPlainText(html, dropped)).toBe(expected);
  });

  it.each<[string, string]>([
    ['open brackets', '<'.repeat(1_000_000)],
    ['open tags', '<b '.repeat(300_000)],
    ['open quotes', '<b "'.repeat(250_000)],
    ['open comments', '<!--'.repeat(250_000)],
    ['open scripts', '<script>'.repeat(125_000)],
    ['script ends that are none', `<script>${'</scrip '.repeat(125_000)}`],
    ['nested elements', '<p>'.repeat(300_000)],
    ['entities that never end', '&#x'.repeat(300_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['ends', '</p>'.repeat(250_000)],
  ])('is linear for %s', { timeout: 30_000 }, (_name, html) => {
    const started = process.cpuUsage();
    htmlToPlainText(html, dropped);
    removeElements(html, new Set(['p', 'script', 'b']));
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });
});
