// A server for the demo: prints the body of one request, and ends.
const { createServer } = require('node:http');
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    console.log(`${request.method} ${request.url}: ${body}`);
    response.end();
    server.close();
  });
});
server.listen(8399, '127.0.0.1', () => console.log('listening'));
