// What a report's page can do beyond being read: parts unfold where a link leads to them and before
// the page is printed, as wide tables come apart, tables are sorted by their heads, and pictures and
// tables are copied and saved as files.
{
  const unfold = element => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    unfold(target.querySelector('details') ?? target);
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();

  // A browser makes all of a page smaller on paper for one table that is wider: its columns are
  // printed as several tables, each with the first ones.
  const inParts = table => {
    const fixed = Number(table.dataset.fixed ?? 1), widest = table.parentElement.clientWidth;
    if (table.offsetWidth <= widest) return [];
    const groups = [[]], widths = [...table.tHead.rows[0].cells].map(head => head.getBoundingClientRect().width);
    const start = widths.slice(0, fixed).reduce((sum, width) => sum + width, 0);
    let used = start;
    widths.forEach((width, column) => {
      if (column < fixed) return;
      if (used + width > widest && groups.at(-1).length > 0) {
        groups.push([]);
        used = start;
      }
      groups.at(-1).push(column);
      used += width;
    });
    table.hidden = true;
    return groups.map(group => {
      const part = table.cloneNode(true);
      part.hidden = false;
      for (const row of part.rows)
        for (const [column, cell] of [...row.cells].entries())
          if (column >= fixed && !group.includes(column)) cell.remove();
      table.before(part);
      return part;
    });
  };
  let folded = [], parts = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('main details:not([open])')];
    for (const part of folded) part.open = true;
    document.body.classList.add('paper');
    const tables = [...document.querySelectorAll('section:not(.interactive) .wide > table')];
    parts = tables.map(table => [table, inParts(table)]).filter(([, made]) => made.length > 0);
  });
  addEventListener('afterprint', () => {
    for (const part of folded) part.open = false;
    document.body.classList.remove('paper');
    for (const [table, made] of parts) {
      table.hidden = false;
      for (const part of made) part.remove();
    }
  });

  // A figure by its first number; other words by themselves, behind all figures.
  const valueOf = row => column => {
    const words = row.cells[column]?.textContent.trim() ?? '';
    const figure = words.replace(/[−–]/g, '-').match(/^[<>$+]*(-?[\d,]*\.?\d+)/);
    return figure ? [0, Number(figure[1].replaceAll(',', '')), words] : [1, 0, words];
  };
  const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2].localeCompare(b[2]);
  const sort = (table, column, head) => {
    const up = head.getAttribute('aria-sort') !== 'ascending';
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const rows = [...table.tBodies[0].rows];
    // Words stay behind figures in both directions.
    const order = (x, y) => {
      const [a, b] = [valueOf(x)(column), valueOf(y)(column)];
      return a[0] !== b[0] ? a[0] - b[0] : (up ? 1 : -1) * compare(a, b);
    };
    table.tBodies[0].append(...rows.sort(order));
  };
  for (const table of document.querySelectorAll('section:not(.interactive) table')) {
    // Rows below a heading or another row belong to it.
    if (table.querySelector('tr.heading, th[class^=indent]') || table.tBodies[0].rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.title = 'sort by this column';
      button.append(...head.childNodes);
      button.onclick = () => sort(table, column, head);
      head.append(button);
    });
  }

  const save = (name, type, content) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  // The pictures of a figure as one by themselves: where and how they are on the page, below its title.
  const standing = figure => {
    const pictures = [...figure.querySelectorAll('svg')];
    const boxes = pictures.map(svg => svg.getBoundingClientRect());
    const [left, top, right, bottom] = [Math.min(...boxes.map(b => b.left)), Math.min(...boxes.map(b => b.top)),
      Math.max(...boxes.map(b => b.right)), Math.max(...boxes.map(b => b.bottom))];
    const page = getComputedStyle(document.body), letter = 7.4, line = 17;  // pixels
    const lines = [...figure.querySelector('figcaption').childNodes].flatMap(part => (part.textContent
      .match(RegExp(`\\S.{0,${Math.floor((right - left - 8) / letter)}}(?=\\s|$)`, 'g')) ?? [])
      .map(words => [words, part.nodeType === Node.TEXT_NODE ? 'bold' : 'normal']));
    const head = lines.length * line + line / 2, width = right - left, height = bottom - top + head;
    const whole = document.createElementNS(pictures[0].namespaceURI, 'svg');
    const put = (parent, name, attributes) => {
      const element = parent.appendChild(document.createElementNS(whole.namespaceURI, name));
      for (const attribute in attributes) element.setAttribute(attribute, attributes[attribute]);
      return element;
    };
    whole.setAttribute('width', width);
    whole.setAttribute('height', height);
    lines.forEach(([words, weight], at) => {
      put(whole, 'text', { x: 4, y: (at + 1) * line, fill: page.color, 'font-family': 'sans-serif',
        'font-size': 12, 'font-weight': weight }).textContent = words;
    });
    pictures.forEach((svg, at) => {
      const copy = svg.cloneNode(true), box = boxes[at];
      const of = [svg, ...svg.querySelectorAll('*')], to = [copy, ...copy.querySelectorAll('*')];
      const kept = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'fill-opacity',
                    'font-family', 'font-size', 'font-weight', 'text-anchor'];
      of.forEach((element, i) => {
        const style = getComputedStyle(element);
        for (const name of kept) to[i].style.setProperty(name, style.getPropertyValue(name));
      });
      for (const [name, value] of [['x', box.left - left], ['y', box.top - top + head],
                                   ['width', box.width], ['height', box.height]])
        copy.setAttribute(name, value);
      whole.append(copy);
    });
    // The serializer adds the name space.
    return { text: new XMLSerializer().serializeToString(whole), width, height };
  };
  const asPng = figure => new Promise((done, failed) => {
    const { text, width, height } = standing(figure);
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas'), scale = 3;
      [canvas.width, canvas.height] = [width * scale, height * scale];
      const pen = canvas.getContext('2d');
      pen.fillStyle = getComputedStyle(document.body).backgroundColor;
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(done, 'image/png');
    };
    image.onerror = failed;
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  });
  // The browser prints, and saves as PDF, what stands in a frame of its own: the picture alone, on a
  // page of its size.
  const printPicture = (figure, name) => {
    const { text, width, height } = standing(figure);
    document.querySelector('iframe.print')?.remove();
    const frame = document.createElement('iframe');
    frame.className = 'print';
    frame.title = name;
    frame.onload = () => frame.contentWindow.print();
    frame.srcdoc = `<!doctype html><title>${name}</title><style>@page { size: ${Math.ceil(width)}px ` +
      `${Math.ceil(height)}px; margin: 0 } body { margin: 0 }</style>${text}`;
    document.body.append(frame);
  };
  const asCsv = table => [...table.rows].map(row => [...row.cells].map(cell => {
    const words = cell.textContent.trim();
    return /[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  }).join(',')).join('\r\n') + '\r\n';
  const plain = element => element.textContent.trim().replace(/\s+/g, ' ');
  // A table as word processors take it: looks are in the elements themselves, and its title and the
  // remarks of its section are paragraphs around it.
  const asPaste = table => {
    const page = document.implementation.createHTMLDocument('');
    const put = (parent, name, style, words = '') => {
      const element = parent.appendChild(page.createElement(name));
      element.style.cssText = style;
      element.textContent = words;
      return element;
    };
    const section = table.closest('section');
    put(page.body, 'p', 'font-weight: bold', plain(table.caption ?? section.querySelector('h2')));
    const copy = put(page.body, 'table', 'border-collapse: collapse');
    [...table.rows].forEach((row, at) => {
      const line = put(copy, 'tr', '');
      for (const cell of row.cells)
        put(line, cell.tagName, 'padding: 2pt 6pt; vertical-align: top; font-weight: ' +
            `${at ? 'normal' : 'bold'}; text-align: ${getComputedStyle(cell).textAlign}; border-bottom: ` +
            (at === 0 || at === table.rows.length - 1 ? '1pt solid black' : 'none') +
            (at ? '' : '; border-top: 1pt solid black'), plain(cell));
    });
    for (const remark of section.querySelectorAll('p, li')) put(page.body, 'p', 'font-size: 9pt', plain(remark));
    return { 'text/html': page.body.innerHTML,
             'text/plain': [...table.rows].map(row => [...row.cells].map(plain).join('\t')).join('\n') };
  };
  const copyTable = async table => {
    const kinds = asPaste(table);
    try {
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(
        Object.entries(kinds).map(([type, content]) => [type, new Blob([content], { type })])))]);
    } catch {  // an older browser, or one that keeps the clipboard from pages opened as files
      document.addEventListener('copy', event => {
        for (const type in kinds) event.clipboardData.setData(type, kinds[type]);
        event.preventDefault();
      }, { once: true });
      if (!document.execCommand('copy')) throw new Error('no clipboard');
    }
  };
  const copyPicture = figure =>
    navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(figure) })]);
  const nameOf = element => element.closest('section').querySelector('h2').textContent.trim()
    .toLowerCase().replace(/[^a-z0-9]+/g, '-');
  // Buttons in a row; one that copies says what came of it.
  const offer = (below, copy, links) => {
    const row = document.createElement('div'), said = document.createElement('span');
    row.className = 'save';
    said.setAttribute('role', 'status');
    const add = (words, action) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = words;
      button.onclick = action;
      row.append(button, ' ');
    };
    if (copy) add(copy[0], () => copy[1]().then(() => { said.textContent = 'Copied.'; },
                                                () => { said.textContent = 'The browser does not let pages copy.'; }));
    row.append('Save: ');
    for (const [words, action] of links) add(words, action);
    row.append(said);
    below.append(row);
  };
  for (const figure of document.querySelectorAll('section figure')) {
    const name = nameOf(figure);
    offer(figure, navigator.clipboard?.write && ['Copy plot', () => copyPicture(figure)],
          [['SVG', () => save(name + '.svg', 'image/svg+xml', standing(figure).text)],
           ['PNG', async () => save(name + '.png', 'image/png', await asPng(figure))],
           ['PDF', () => printPicture(figure, name)]]);
  }
  for (const table of document.querySelectorAll('section:not(.interactive) .wide > table'))
    offer(table.parentElement, ['Copy table', () => copyTable(table)],
          [['CSV', () => save(nameOf(table) + '.csv', 'text/csv', asCsv(table))]]);
}
